package dev.berth.core.card;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import java.util.List;
import java.util.Optional;

/**
 * What a device is called in the ledger, where all doors must understand it: its UUID if that is known, its index if
 * not. A part of a card is {@code <card>#<part>}. What may be one of the node's cards, nobody knows which, is
 * {@code gpu?/<name>}; all other names with a slash are no cards.
 */
public final class WrittenName {
    /** The attribute with which a part of a card names the device of its pool that is the card. */
    public static final String PARENT = "parent";

    private static final String PROFILE = "mig-profile";
    private static final String UNMATCHED = "gpu?/";
    private static final char PART = '#';
    private static final String ANY = "any/";
    private static final String UNSAID = "unknown-";

    private WrittenName() {}

    /** One of the GPUs that a guest holds. */
    static DeviceId ofGuest(String holder, int number) {
        return new DeviceId("%s%s/%d".formatted(ANY, holder, number));
    }

    /** The GPU, or part of one, of a container that does not say which it got. */
    public static DeviceId unsaid(String container) {
        return new DeviceId(UNSAID + container);
    }

    public static boolean isUnsaid(DeviceId written) {
        return written.value().startsWith(UNSAID);
    }

    /** Somebody holds a GPU under this name, and nobody knows which. */
    static boolean floating(DeviceId written) {
        return written.value().startsWith(ANY) || isUnsaid(written);
    }

    /** Whether this is the name of no card at all: a network card, say. */
    static boolean noCard(DeviceId written) {
        return written.value().indexOf('/') >= 0 && !written.value().startsWith(UNMATCHED);
    }

    static boolean part(DeviceId written) {
        return written.value().indexOf(PART) > 0;
    }

    /** The card itself, where this is a part of one. */
    static DeviceId card(DeviceId written) {
        int part = written.value().indexOf(PART);
        return part <= 0 ? written : new DeviceId(written.value().substring(0, part));
    }

    /**
     * The name of a device.
     *
     * @param beside all devices of its node, in which a part finds its card
     * @param uuids the UUIDs of the node's cards by index, as far as they are published
     * @param maybeCard whether a device of which neither is known may be a card
     */
    static DeviceId of(Device device, List<Device> beside, List<String> uuids, boolean maybeCard) {
        if (device.attributes().get(PARENT) instanceof Attribute.Text(var parent)) {
            return sibling(device, parent, beside)
                    .map(card -> of(card, beside, uuids, maybeCard).value() + PART + last(device))
                    .map(DeviceId::new)
                    .orElseGet(() -> unmatched(device));
        }
        if (device.attributes().containsKey(PROFILE)) {
            return unmatched(device);
        }
        if (device.uuid().isPresent()) {
            return new DeviceId(device.uuid().get());
        }
        if (device.index().isPresent()) {
            int index = device.index().getAsInt();
            return index < uuids.size() ? new DeviceId(uuids.get(index)) : DeviceId.ofIndex(index);
        }
        return maybeCard ? unmatched(device) : device.id();
    }

    private static DeviceId unmatched(Device device) {
        return new DeviceId(UNMATCHED + device.id().value());
    }

    private static Optional<Device> sibling(Device part, String name, List<Device> beside) {
        var pool = part.id().value().substring(0, part.id().value().indexOf('/') + 1);
        return beside.stream()
                .filter(device -> device.id().value().equals(pool + name))
                .filter(device -> !device.attributes().containsKey(PARENT))
                .findFirst();
    }

    private static String last(Device device) {
        return device.id().value().substring(device.id().value().indexOf('/') + 1);
    }
}
