package dev.berth.pinner.map;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The number of a replica: what its StatefulSet says, else the last part of its name. */
public final class Ordinal {
    /** What an API server puts behind a generateName: these letters and digits, so as to form no words. */
    private static final Pattern MADE_UP = Pattern.compile("[bcdfghjklmnpqrstvwxz2456789]{5}");

    private Ordinal() {}

    public static OptionalLong of(Pod pod) {
        var metadata = pod.getMetadata();
        var labels = Objects.requireNonNullElse(metadata.getLabels(), Map.<String, String>of());
        boolean ofStatefulSet = Objects.requireNonNullElse(
                        metadata.getOwnerReferences(), List.<io.fabric8.kubernetes.api.model.OwnerReference>of())
                .stream()
                .anyMatch(owner -> "StatefulSet".equals(owner.getKind()));
        return of(labels.get(Keys.POD_INDEX), metadata.getName(), metadata.getGenerateName(), ofStatefulSet);
    }

    /** The same for a pod that is being admitted. */
    public static OptionalLong of(JsonNode pod) {
        var metadata = pod.path("metadata");
        boolean ofStatefulSet = metadata.path("ownerReferences")
                .valueStream()
                .anyMatch(owner -> owner.path("kind").asText().equals("StatefulSet"));
        return of(
                metadata.path("labels").path(Keys.POD_INDEX).textValue(),
                metadata.path("name").textValue(),
                metadata.path("generateName").textValue(),
                ofStatefulSet);
    }

    private static OptionalLong of(
            @Nullable String index, @Nullable String name, @Nullable String generateName, boolean ofStatefulSet) {
        var said = index == null ? OptionalLong.empty() : WholeNumber.parse(index);
        if (said.isPresent()) {
            return said;
        }
        // A made-up name may end in digits by chance, which the webhook, asked before, could not know.
        return name == null || (!ofStatefulSet && isMadeUp(name, generateName)) ? OptionalLong.empty() : ofName(name);
    }

    private static boolean isMadeUp(String name, @Nullable String generateName) {
        return generateName != null
                && !generateName.isEmpty()
                && name.startsWith(generateName)
                && MADE_UP.matcher(name.substring(generateName.length())).matches();
    }

    /** The last part of a name of several parts. */
    public static OptionalLong ofName(String name) {
        int dash = name.lastIndexOf('-');
        return dash < 0 ? OptionalLong.empty() : WholeNumber.parse(name.substring(dash + 1));
    }

    /** What all replicas' names have in common. */
    public static String family(String name) {
        return name.substring(0, name.lastIndexOf('-') + 1);
    }
}
