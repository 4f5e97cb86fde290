package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.cel.Selector;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.Device;
import dev.berth.core.demand.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The devices that meet every selector of a class and of a request. One about which a selector has no answer does not
 * suit.
 */
record RequestFilter(String className, List<Selector> ofClass, List<Selector> ofRequest) implements Filter {
    RequestFilter {
        ofClass = List.copyOf(ofClass);
        ofRequest = List.copyOf(ofRequest);
    }

    @Override
    public Optional<String> refuses(Device device) {
        return switch (ask(device)) {
            case Selector.Answer.Yes() -> Optional.empty();
            case Selector.Answer.No(var why) -> Optional.of(why);
            case Selector.Answer.Failed(var why) -> Optional.of(why);
        };
    }

    /** What the first selector says that is not content. */
    Selector.Answer ask(Device device) {
        if (!SliceDevice.is(device)) {
            return new Selector.Answer.No("is not of a ResourceSlice");
        }
        var all = new ArrayList<Selector>(ofClass);
        all.addAll(ofRequest);
        for (int index = 0; index < all.size(); index++) {
            boolean own = index >= ofClass.size();
            String where = own
                    ? "request selector #%d: ".formatted(index - ofClass.size())
                    : "class %s selector #%d: ".formatted(className, index);
            switch (all.get(index).ask(device)) {
                case Selector.Answer.Yes() -> {}
                case Selector.Answer.No(var why) -> {
                    return new Selector.Answer.No(where + why);
                }
                case Selector.Answer.Failed(var why) -> {
                    return new Selector.Answer.Failed(where + "CEL runtime error: " + why);
                }
            }
        }
        return Selector.Answer.YES;
    }
}
