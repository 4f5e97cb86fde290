package dev.berth.claims.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What every example is an example of. */
class ExamplesTest {
    private static final String[] SIMPLE = {"classes.yaml", "pools-foozers.yaml"};

    private static Scenario simple(String pod) {
        return Scenario.examples("classes.yaml", "pools-foozers.yaml", pod);
    }

    private static Scenario nics(String pod) {
        return Scenario.examples("classes.yaml", "pools-nics.yaml", pod);
    }

    private static Scenario memory(String pod) {
        return Scenario.examples("classes.yaml", "pools-memory.yaml", pod);
    }

    @Test
    void oneGpuIsTheFirstOfTheFirstNode() {
        var result = simple("pod-one-gpu.yaml").run();

        var claim = Scenario.written(result, "DeviceClaim", "one-gpu-gpu");
        assertThat(claim.at("/status/allocations/0/devicePoolName").asText()).isEqualTo("node-00-foozer");
        assertThat(claim.at("/status/allocations/0/deviceName").asText()).isEqualTo("dev-00");
        assertThat(claim.at("/status/podNames").toString()).isEqualTo("[\"one-gpu\"]");
        assertThat(Scenario.written(result, "Pod", "one-gpu")
                        .at("/spec/nodeName")
                        .asText())
                .isEqualTo("node-00");
        assertThat(result.allPlaced()).isTrue();
    }

    @Test
    void aDeviceIsGivenOutOnceAndThenTheNextNodeIsTaken() {
        assertThat(simple("pod-one-gpu.yaml").again("-2").again("-3").answers())
                .startsWith(
                        "one-gpu@node-00: node-00-foozer/dev-00",
                        "one-gpu-2@node-00: node-00-foozer/dev-01",
                        "one-gpu-3@node-01: node-01-foozer/dev-00",
                        "one-gpu-2-3@node-01: node-01-foozer/dev-01");
    }

    @Test
    void twoGpusComeFromOneNode() {
        assertThat(Scenario.examples("classes.yaml", "pools-foozers.yaml", "pod-one-gpu.yaml", "pod-two-gpus.yaml")
                        .answers())
                .containsExactly(
                        "one-gpu@node-00: node-00-foozer/dev-00",
                        "two-gpus@node-01: node-01-foozer/dev-00 node-01-foozer/dev-01");
    }

    @Test
    void anAttributeThatNoDeviceHasCannotBeTheSame() {
        assertThat(simple("pod-two-gpus-one-root.yaml").answers())
                .singleElement()
                .asString()
                .startsWith("waiting: node-00: ")
                .contains("node-01: ")
                .contains("pcie-root");
    }

    @Test
    void twoGpusOnOneRootAreFoundWhereRootsAreKnown() {
        assertThat(memory("pod-two-gpus-one-root.yaml").again("-2").again("-3").answers())
                .startsWith(
                        "two-gpus-one-root@node-02: node-02-foozer/dev-00 node-02-foozer/dev-01",
                        "two-gpus-one-root-2@node-02: node-02-foozer/dev-02 node-02-foozer/dev-03");
    }

    @Test
    void containersOfOnePodShareWhatTheyBothName() {
        assertThat(simple("pod-two-containers-one-gpu.yaml").answers())
                .containsExactly("two-containers-one-gpu@node-00: node-00-foozer/dev-00");
        assertThat(simple("pod-two-containers-two-gpus.yaml").answers())
                .containsExactly("two-containers-two-gpus@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01");
    }

    @Test
    void aGroupClassStandsForTheClassesWithItsLabels() {
        assertThat(simple("pod-same-model.yaml").answers())
                .containsExactly("same-model@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01");
    }

    @Test
    void theFirstAlternativeThatCanBeHadIsTaken() {
        assertThat(memory("pod-best-available.yaml").answers())
                .containsExactly("best-available@node-02: node-02-foozer/dev-00");
        assertThat(simple("pod-best-available.yaml").answers())
                .singleElement()
                .asString()
                .startsWith("waiting: node-00: ");
    }

    @Test
    void aClaimMatchesOverAllItsParts() {
        assertThat(memory("pod-gpu-and-nic.yaml").answers())
                .containsExactly("gpu-and-nic@node-02: node-02-foozer/dev-02 node-02-nic/port-0-vf-0");
        assertThat(memory("pod-best-available-and-nic.yaml").answers())
                .containsExactly(
                        "best-available-and-nic@node-02: node-02-nic/port-0 node-02-foozer/dev-02 node-02-foozer/dev-03");
    }

    @Test
    void partsOfAGpuAddUpUntilItIsFull() {
        var scenario = memory("pod-part-of-a-gpu.yaml");
        for (int i = 2; i <= 6; i++) {
            scenario.text("more", """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: part-%d}
                    spec:
                      containers: [{name: main, image: none, devices: [{name: gpu}]}]
                      deviceClaims: {template: {claimName: template-part-of-a-gpu}}
                    """.formatted(i));
        }
        var result = scenario.run();

        assertThat(scenario.answers())
                .containsExactly(
                        "part-of-a-gpu@node-02: node-02-foozer/dev-00",
                        "part-2@node-02: node-02-foozer/dev-00",
                        "part-3@node-02: node-02-foozer/dev-00",
                        "part-4@node-02: node-02-foozer/dev-00",
                        "part-5@node-02: node-02-foozer/dev-00",
                        "part-6@node-02: node-02-foozer/dev-01");
        assertThat(Scenario.written(result, "DeviceClaim", "part-of-a-gpu-part-of-a-gpu")
                        .at("/status/allocations/0/allocations")
                        .toString())
                .isEqualTo("[{\"name\":\"memory\",\"allocation\":\"8Gi\"}]");
    }

    @Test
    void partsAreRoundedUpToTheBlockSize() {
        var result = Scenario.examples("classes.yaml", "pools-memory.yaml")
                .text("own", """
                        apiVersion: devmgmtproto.k8s.io/v1alpha1
                        kind: DeviceClaim
                        metadata: {name: some}
                        spec:
                          devices:
                          - {name: gpu, class: example.com-foozer, allowShared: true, requests: {memory: 1500Mi}}
                        ---
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: p}
                        spec: {containers: [{name: c, image: none}], deviceClaims: {claimName: some}}
                        """)
                .run();
        assertThat(Scenario.written(result, "DeviceClaim", "some")
                        .at("/status/allocations/0/allocations/0/allocation")
                        .asText())
                .isEqualTo("2Gi");
    }

    @Test
    void aPartKeepsOthersFromTakingTheWhole() {
        assertThat(Scenario.examples(
                                "classes.yaml",
                                "pools-memory.yaml",
                                "pod-part-of-a-gpu.yaml",
                                "pod-best-available.yaml")
                        .answers())
                .containsExactly(
                        "part-of-a-gpu@node-02: node-02-foozer/dev-00",
                        "best-available@node-02: node-02-foozer/dev-01");
    }

    @Test
    void requestsAreMetBySeveralDevicesTogether() {
        assertThat(memory("pod-split.yaml").answers())
                .containsExactly("split@node-02: node-02-foozer/dev-00 node-02-foozer/dev-01 node-02-foozer/dev-02");
        var shared = Scenario.examples(
                "classes.yaml", "pools-memory.yaml", "pod-part-of-a-gpu.yaml", "pod-shared-split.yaml");
        assertThat(shared.answers())
                .contains("shared-split@node-02: node-02-foozer/dev-00 node-02-foozer/dev-01 node-02-foozer/dev-02");
        var claim = Scenario.written(shared.run(), "DeviceClaim", "shared-split-shared-split");
        assertThat(claim.at("/status/allocations").findValuesAsText("allocation"))
                .containsExactly("32Gi", "40Gi", "28Gi");
    }

    @Test
    void memoryThatNobodyPublishesCannotBeHad() {
        assertThat(simple("pod-part-of-a-gpu.yaml").answers())
                .singleElement()
                .asString()
                .startsWith("waiting: node-00: ");
    }

    @Test
    void virtualFunctionsUseUpTheirPort() {
        assertThat(nics("pod-one-vf.yaml").answers()).containsExactly("one-vf@node-00: node-00-nic0/port-0-vf-0");
        assertThat(nics("pod-two-vfs-one-pf.yaml").answers())
                .containsExactly(
                        "two-vfs-one-pf@node-00: node-00-nic0/port-0-vf-0 node-00-nic0/port-0-vf-1 node-00-nic0/port-1");
        assertThat(nics("pod-vfs-of-one-card.yaml").answers())
                .containsExactly("vfs-of-one-card@node-00: node-00-nic0/port-0-vf-0 node-00-nic0/port-0-vf-1");
        assertThat(nics("pod-vfs-of-two-cards.yaml").answers())
                .containsExactly("vfs-of-two-cards@node-00: node-00-nic0/port-0-vf-0 node-00-nic1/port-0-vf-0");
        assertThat(nics("pod-vf-by-request.yaml").answers())
                .containsExactly("vf-by-request@node-00: node-00-nic0/port-0-vf-0");
    }

    @Test
    void aDeviceOnTheNetworkIsReachedFromAnyNode() {
        assertThat(Scenario.examples("drivers.yaml", "classes.yaml", "pools-vlans.yaml", "pod-vlan.yaml")
                        .only("node-07")
                        .again("-2")
                        .answers())
                .containsExactly("vlan@node-07: vlans/vlan-100", "vlan-2@node-07: vlans/vlan-101");
    }

    @Test
    void podsThatShareAClaimShareItsNode() {
        var scenario = simple("pod-two-pods-one-gpu.yaml");
        assertThat(scenario.answers())
                .containsExactly(
                        "sharing-0@node-00: node-00-foozer/dev-00", "sharing-1@node-00: node-00-foozer/dev-00");
        var claim = Scenario.written(scenario.run(), "DeviceClaim", "shared-gpu");
        assertThat(claim.at("/status/allocations")).hasSize(1);
        assertThat(claim.at("/status/podNames").toString()).isEqualTo("[\"sharing-0\",\"sharing-1\"]");
    }

    @Test
    void settingsAreCopiedIntoTheStatus() {
        var result = Scenario.examples("classes.yaml", "pools-foozers.yaml", "foozerconfigs.yaml", "pod-tuned-gpu.yaml")
                .run();
        var status = Scenario.written(result, "DeviceClaim", "tuned-gpu-tuned").path("status");
        assertThat(status.at("/classConfigs/0/spec/mode").asText()).isEqualTo("latency");
        assertThat(status.at("/claimConfigs/0/spec/clockMHz").asInt()).isEqualTo(1200);
    }

    @Test
    void settingsThatAreMissingKeepThePodWaitingAndTheDeviceFree() {
        assertThat(Scenario.examples("classes.yaml", "pools-foozers.yaml", "pod-tuned-gpu.yaml", "pod-one-gpu.yaml")
                        .answers())
                .containsExactly(
                        "waiting: the settings FoozerConfig default/low-latency do not exist",
                        "one-gpu@node-00: node-00-foozer/dev-00");
    }

    @Test
    void adminAccessGetsAllDevicesOfANodeAndHoldsNone() {
        var scenario = Scenario.examples(
                "classes.yaml",
                "pools-foozers.yaml",
                "pod-one-gpu.yaml",
                "pod-monitor.yaml",
                "pod-privileged-monitor.yaml",
                "pod-two-containers-one-gpu.yaml");
        assertThat(scenario.answers())
                .containsExactly(
                        "one-gpu@node-00: node-00-foozer/dev-00",
                        "monitor@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                        "privileged-monitor@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                        "two-containers-one-gpu@node-00: node-00-foozer/dev-01");
        assertThat(Scenario.written(scenario.run(), "DevicePrivilegedClaim", "all-foozers")
                        .at("/status/podNames/0")
                        .asText())
                .isEqualTo("privileged-monitor");
    }

    @Test
    void theAnnotationSaysTheSameAsTheFields() {
        assertThat(simple("pod-annotated.yaml").answers()).containsExactly("annotated@node-00: node-00-foozer/dev-00");
    }

    @Test
    void allExamplesTogetherAreUnderstood() {
        var scenario = new Scenario();
        for (String name : new java.io.File("../examples/claims").list()) {
            scenario.file(java.nio.file.Path.of("../examples/claims", name));
        }
        assertThat(scenario.run().outcomes()).hasSizeGreaterThan(20);
    }

    @Test
    void whatWasWrittenCanBeReadAgain() throws Exception {
        var first = Scenario.examples(SIMPLE)
                .file(java.nio.file.Path.of("../examples/claims/pod-one-gpu.yaml"))
                .run();
        var text = new java.io.StringWriter();
        dev.berth.claims.manifest.ManifestText.YAML.write(first.written(), new java.io.PrintWriter(text));

        assertThat(Scenario.examples(SIMPLE)
                        .text("before.yaml", text.toString())
                        .file(java.nio.file.Path.of("../examples/claims/pod-two-containers-one-gpu.yaml"))
                        .answers())
                .containsExactly("two-containers-one-gpu@node-00: node-00-foozer/dev-01");
    }
}
