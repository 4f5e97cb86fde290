package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;

/** How much of what. */
final class ResourceMessages {
    private static final String NONE = "0";

    private ResourceMessages() {}

    static void requirements(ResourceRequirements requirements, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 -> quantity(requirements.getLimits(), in);
            case 2 -> quantity(requirements.getRequests(), in);
            case 3 -> requirements.getClaims().add(in.message(new ResourceClaim(), ResourceMessages::claim));
            default -> in.skip();
        }
    }

    static void claim(ResourceClaim claim, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> claim.setName(in.text());
            case 2 -> claim.setRequest(in.someText());
            default -> in.skip();
        }
    }

    /** An entry of a map from names to quantities. */
    static void quantity(Map<String, Quantity> map, Fields in) throws MalformedMessageException {
        int outer = in.enter();
        var key = "";
        var value = NONE;
        for (int number = in.next(); number > 0; number = in.next()) {
            switch (number) {
                case 1 -> key = in.text();
                case 2 -> value = in.wrapped();
                default -> in.skip();
            }
        }
        in.leave(outer);
        map.put(key, quantity(value));
    }

    static Quantity quantity(Fields in) throws MalformedMessageException {
        return quantity(in.wrapped());
    }

    private static Quantity quantity(String text) throws MalformedMessageException {
        try {
            return new Quantity(text);
        } catch (IllegalArgumentException none) {
            throw new MalformedMessageException("no quantity is '%s'".formatted(text), none);
        }
    }
}
