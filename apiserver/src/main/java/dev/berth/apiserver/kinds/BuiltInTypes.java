package dev.berth.apiserver.kinds;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The resource types that are served from the start, read from the table {@code built-in-types.txt}. */
final class BuiltInTypes {
    private static final Set<String> ALL_VERBS =
            ordered("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final Set<String> NO_COLLECTION_VERBS =
            ordered("create", "delete", "get", "list", "patch", "update", "watch");

    private BuiltInTypes() {}

    static List<ResourceType> load(Schemas schemas) {
        try (var resource = BuiltInTypes.class.getResourceAsStream("/dev/berth/apiserver/built-in-types.txt")) {
            if (resource == null)
                throw new IllegalStateException("the table of built-in types is not on the class path");
            List<ResourceType> types = new ArrayList<>();
            var reader = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.startsWith("#")) types.add(parse(line.split(" +", -1), schemas));
            }
            return List.copyOf(types);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ResourceType parse(String[] column, Schemas schemas) {
        int slash = column[0].indexOf('/');
        String group = slash < 0 ? "" : column[0].substring(0, slash);
        String version = column[0].substring(slash + 1);
        String kind = column[2];
        return new ResourceType(
                group,
                version,
                kind,
                column[1],
                kind.toLowerCase(Locale.ROOT),
                words(column[5]),
                words(column[6]),
                column[3].equals("Namespaced"),
                switch (column[4]) {
                    case "all" -> ALL_VERBS;
                    case "no-collection" -> NO_COLLECTION_VERBS;
                    case "create" -> Set.of("create");
                    default -> throw new IllegalStateException("unknown verbs: " + column[4]);
                },
                Collections.unmodifiableSet(new LinkedHashSet<>(words(column[7]))),
                schemas.reference(definition(group, version, kind)));
    }

    /** How Kubernetes names the definition of a kind of its own. */
    static String definition(String group, String version, String kind) {
        if (group.equals("apiextensions.k8s.io")) {
            return "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions." + version + "." + kind;
        }
        int dot = group.indexOf('.');
        String room = group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
        return "io.k8s.api." + room + "." + version + "." + kind;
    }

    private static List<String> words(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(",", -1));
    }

    static Set<String> ordered(String... words) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(words)));
    }
}
