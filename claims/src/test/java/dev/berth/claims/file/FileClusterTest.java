package dev.berth.claims.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.policy.Listed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What else files may hold beside the door's own kinds, and mistakes in what they hold. */
class FileClusterTest {
    private static FileSchedule.Result run(String text) {
        return FileSchedule.run(Manifests.read("test.yaml", text), List.of(), new Listed());
    }

    @Test
    void aNamespacesLabelsCountWhereAPodKeepsAwayFromOthers() {
        var result = run("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: other, labels: {team: red}}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n2, labels: {kubernetes.io/hostname: n2}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: there, namespace: other, labels: {app: noisy}}
                spec: {nodeName: n1, containers: [{name: c, image: i}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: quiet}
                spec:
                  containers: [{name: c, image: i}]
                  affinity:
                    podAntiAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - topologyKey: kubernetes.io/hostname
                        labelSelector: {matchLabels: {app: noisy}}
                        namespaceSelector: {matchLabels: {team: red}}
                """);

        assertThat(result.outcomes().getFirst().words()).startsWith("default/quiet: placed on n2");
    }

    @Test
    void constraintsThatAreNoCelAreToldWithTheirFieldAndLine() {
        assertThatThrownBy(() -> run("""
                        apiVersion: devmgmtproto.k8s.io/v1alpha1
                        kind: DeviceClaim
                        metadata: {name: c}
                        spec:
                          devices:
                          - name: one
                            allOf:
                            - class: x
                              constraints: "device.a == 1"
                            - class: x
                              constraints: "device.a = 1"
                        """))
                .isInstanceOf(ManifestException.class)
                .message()
                .startsWith("test.yaml: document 1, line 11: spec.devices[0].allOf[1].constraints: the constraints");
    }

    @Test
    void objectsThatAServerIsToNameAreNotEachOthersDoubles() {
        var result = run("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {generateName: a-}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {generateName: b-}
                """);

        assertThat(result.allPlaced()).isTrue();
    }
}
