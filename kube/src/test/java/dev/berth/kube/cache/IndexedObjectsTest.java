package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexedObjectsTest {
    private final IndexedObjects<ConfigMap> objects = new IndexedObjects<>(Map.of(
            "colour",
            map -> List.of(map.getData().getOrDefault("colour", "")),
            "tag",
            map -> List.of(map.getData().getOrDefault("tags", "").split(","))));

    @Test
    void anObjectIsFoundByItsNameAndByWhatItSays() {
        var red = put("a", "red", "x,y");

        assertThat(objects.find("default/a")).contains(red);
        assertThat(objects.by("colour", "red")).containsExactly(red);
        assertThat(objects.by("tag", "x")).containsExactly(red);
        assertThat(objects.by("tag", "y")).containsExactly(red);
        assertThat(objects.by("colour", "blue")).isEmpty();
        assertThatThrownBy(() -> objects.by("size", "9")).hasMessage("nothing is looked up by size");
    }

    @Test
    void anObjectThatChangesIsFoundInItsNewPlacesOnly() {
        put("a", "red", "x,y");
        var other = put("b", "red", "y");
        var blue = put("a", "blue", "y,z");

        assertThat(objects.all()).containsExactlyInAnyOrder(blue, other);
        assertThat(objects.by("colour", "red")).containsExactly(other);
        assertThat(objects.by("colour", "blue")).containsExactly(blue);
        assertThat(objects.by("tag", "x")).isEmpty();
        assertThat(objects.by("tag", "y")).containsExactlyInAnyOrder(other, blue);
        assertThat(objects.by("tag", "z")).containsExactly(blue);
    }

    @Test
    void anObjectThatIsTakenIsFoundNowhere() {
        var red = put("a", "red", "x");
        put("b", "red", "x");

        assertThat(objects.remove("default/a")).contains(red);
        assertThat(objects.remove("default/a")).isEmpty();
        assertThat(objects.find("default/a")).isEmpty();
        assertThat(objects.by("colour", "red")).hasSize(1);
        assertThat(objects.keys()).containsExactly("default/b");
    }

    private ConfigMap put(String name, String colour, String tags) {
        var map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withData(Map.of("colour", colour, "tags", tags))
                .build();
        objects.put(map);
        return map;
    }
}
