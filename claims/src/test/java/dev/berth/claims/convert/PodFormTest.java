package dev.berth.claims.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.claims.api.Group;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PodFormTest {
    @Test
    void everyExampleIsTheSameThereAndBack() throws IOException {
        try (var files = Files.list(Path.of("../examples/claims"))) {
            for (Path file :
                    files.filter(each -> !each.endsWith("pod-annotated.yaml")).toList()) {
                for (Manifest manifest : Manifests.read(file.toString(), Files.readString(file))) {
                    var annotated = PodForm.ANNOTATION.of(manifest);
                    assertThat(annotated.path("spec").has("deviceClaims"))
                            .as(file.toString())
                            .isFalse();
                    assertThat(PodForm.FIELDS.of(Manifest.of("annotated", annotated)))
                            .as(file.toString())
                            .isEqualTo(manifest.body());
                }
            }
        }
    }

    @Test
    void thePodTemplateOfAWorkloadIsConverted() {
        var deployment = Manifests.read("d.yaml", """
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: d}
                        spec:
                          template:
                            spec:
                              containers: [{name: c, image: none, devices: [{name: g}]}]
                              deviceClaims: {devices: [{name: g, class: x}]}
                        """).getFirst();
        var template = PodForm.ANNOTATION.of(deployment).at("/spec/template");
        assertThat(template.path("metadata")
                        .path("annotations")
                        .path(Group.CLAIMS_ANNOTATION)
                        .asText())
                .isEqualTo("{\"deviceClaims\":{\"devices\":[{\"name\":\"g\",\"class\":\"x\"}]},"
                        + "\"containers\":[{\"name\":\"c\",\"devices\":[{\"name\":\"g\"}]}]}");
        assertThat(template.at("/spec/containers/0").has("devices")).isFalse();
    }
}
