package dev.berth.claims.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CRDs of the prototype's kinds. */
public final class ClaimDefinitions {
    private static final List<String> PLURALS =
            List.of("devicedrivers", "deviceclasses", "deviceclaims", "deviceprivilegedclaims", "devicepools");

    /** The settings of the examples' devices. */
    private static final String EXAMPLE = "foozerconfigs";

    private ClaimDefinitions() {}

    /** The definitions as YAML, one each, for {@code kubectl apply}. */
    public static List<String> yaml() {
        return PLURALS.stream().map(ClaimDefinitions::read).toList();
    }

    /** The definition of the vendor's settings that the examples use. */
    public static String example() {
        return read(EXAMPLE);
    }

    private static String read(String plural) {
        try (var in = ClaimDefinitions.class.getResourceAsStream(plural + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the definition of %s is not in the jar".formatted(plural));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
