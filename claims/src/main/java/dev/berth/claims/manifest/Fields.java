package dev.berth.claims.manifest;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The fields of one object. What nobody asked for is an error: a misspelt field must not be lost in silence. */
public final class Fields {
    private final Field object;
    private final Set<String> asked = new HashSet<>();

    Fields(Field object) {
        this.object = object;
    }

    /** The field in any of its spellings; absent and null are the same, as in Kubernetes. */
    public Optional<Field> find(String... spellings) {
        asked.addAll(Arrays.asList(spellings));
        List<String> given = Arrays.stream(spellings)
                .filter(name -> object.value().hasNonNull(name))
                .toList();
        if (given.size() > 1) {
            throw object.child(given.get(1))
                    .problem("is another spelling of " + given.getFirst() + ": give only one of them");
        }
        return given.stream().findFirst().map(object::child);
    }

    public Field require(String... spellings) {
        return find(spellings).orElseThrow(() -> object.problem("needs the field " + spellings[0]));
    }

    public Optional<String> text(String... spellings) {
        return find(spellings)
                .filter(field -> !field.value().asText("x").isEmpty())
                .map(Field::text);
    }

    public List<String> texts(String... spellings) {
        return find(spellings).map(Field::texts).orElse(List.of());
    }

    public List<Field> items(String... spellings) {
        return find(spellings).map(Field::items).orElse(List.of());
    }

    public boolean flag(String name) {
        return find(name).map(Field::flag).orElse(false);
    }

    /** Fields that are known and not looked at. */
    public Fields skip(String... names) {
        asked.addAll(Arrays.asList(names));
        return this;
    }

    public ManifestException problem(String what) {
        return object.problem(what);
    }

    /** Complains about what is left. */
    public void done() {
        var left = new TreeSet<String>();
        object.value().fieldNames().forEachRemaining(left::add);
        left.removeAll(asked);
        if (!left.isEmpty()) {
            throw object.child(left.first())
                    .problem("is not known here; known are " + String.join(", ", new TreeSet<>(asked)));
        }
    }

    /** The names that were asked for. */
    Set<String> asked() {
        return asked;
    }
}
