package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final Tables tables = new Tables(catalog, () -> NOW);

    private ResourceType type(String group, String plural) {
        return catalog.all().stream()
                .filter(type -> type.group().equals(group) && type.plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }

    private String cells(String group, String plural, String object) {
        ObjectNode node = yaml(object);
        node.withObjectProperty("metadata").put("name", "x").put("creationTimestamp", "2026-01-01T00:54:50Z");
        return tables.single(type(group, plural), node, Tables.IncludeObject.NONE)
                .at("/rows/0/cells")
                .toString();
    }

    @Test
    void everyRowHasACellForEachColumn() {
        ObjectNode empty = yaml("{metadata: {name: x, creationTimestamp: '2026-01-01T00:00:00Z'}}");
        assertThat(catalog.all()).allSatisfy(type -> {
            ObjectNode table = tables.single(type, empty, Tables.IncludeObject.NONE);
            assertThat(table.at("/rows/0/cells")).hasSameSizeAs(table.path("columnDefinitions"));
            assertThat(table.path("columnDefinitions").size()).isGreaterThan(1);
        });
    }

    @Test
    void aPodSumsUpItsContainers() {
        assertThat(cells("", "pods", "{spec: {containers: [{name: a}]}, status: {phase: Pending}}"))
                .isEqualTo("[\"x\",\"0/1\",\"Pending\",\"0\",\"5m10s\",\"<none>\",\"<none>\",\"<none>\",\"<none>\"]");
        assertThat(cells("", "pods", """
                                spec: {nodeName: n1, containers: [{name: a}, {name: b}]}
                                status: {phase: Running, podIPs: [{ip: 10.0.0.1}], containerStatuses: [{name: a, ready: true, restartCount: 2, state: {running: {}}, lastState: {terminated: {finishedAt: '2026-01-01T00:59:00Z'}}}, {name: b, state: {waiting: {reason: CrashLoopBackOff}}}]}
                                """))
                .isEqualTo(
                        "[\"x\",\"1/2\",\"CrashLoopBackOff\",\"2 (60s ago)\",\"5m10s\",\"10.0.0.1\",\"n1\",\"<none>\",\"<none>\"]");
    }

    @Test
    void aPodThatIsDoneSaysSo() {
        ObjectNode pod = yaml("{metadata: {name: x}, status: {phase: Succeeded}}");
        JsonNode row = tables.single(type("", "pods"), pod, Tables.IncludeObject.METADATA)
                .at("/rows/0");
        assertThat(row.at("/conditions/0/reason").asText()).isEqualTo("Succeeded");
        assertThat(row.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void aPodThatWaitsForInitContainersCountsThem() {
        assertThat(
                        cells(
                                "",
                                "pods",
                                "{spec: {initContainers: [{name: i}], containers: [{name: a}]}, status: {phase: Pending, initContainerStatuses: [{name: i, state: {running: {}}}]}}"))
                .contains("\"Init:0/1\"");
    }

    @Test
    void aDeletedPodIsTerminating() {
        assertThat(
                        cells(
                                "",
                                "pods",
                                "{metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}, spec: {containers: [{name: a}]}, status: {phase: Running}}"))
                .contains("\"Terminating\"");
    }

    @Test
    void aNodeShowsItsRolesAndReadiness() {
        assertThat(
                        cells(
                                "",
                                "nodes",
                                "{metadata: {labels: {node-role.kubernetes.io/worker: ''}}, spec: {unschedulable: true}, status: {conditions: [{type: Ready, status: 'True'}], nodeInfo: {kubeletVersion: v1.36.3}}}"))
                .isEqualTo(
                        "[\"x\",\"Ready,SchedulingDisabled\",\"worker\",\"5m10s\",\"v1.36.3\",\"<none>\",\"<none>\",\"<unknown>\",\"<unknown>\",\"<unknown>\"]");
    }

    @Test
    void leasesShowTheirHolder() {
        assertThat(cells("coordination.k8s.io", "leases", "{spec: {holderIdentity: me}}"))
                .isEqualTo("[\"x\",\"me\",\"5m10s\"]");
    }

    @Test
    void deploymentsShowWhatIsReady() {
        assertThat(
                        cells(
                                "apps",
                                "deployments",
                                "{spec: {replicas: 3, selector: {matchLabels: {b: '2', a: '1'}, matchExpressions: [{key: c, operator: In, values: [y, x]}]}, template: {spec: {containers: [{name: a, image: i}]}}}, status: {readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1}}"))
                .isEqualTo("[\"x\",\"1/3\",2,1,\"5m10s\",\"a\",\"i\",\"a=1,b=2,c in (x,y)\"]");
    }

    @Test
    void jobsShowCompletionsAndDuration() {
        assertThat(
                        cells(
                                "batch",
                                "jobs",
                                "{spec: {completions: 2}, status: {succeeded: 2, startTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T00:03:05Z', conditions: [{type: Complete, status: 'True'}]}}"))
                .startsWith("[\"x\",\"Complete\",\"2/2\",\"3m5s\",\"5m10s\"");
    }

    @Test
    void servicesShowPorts() {
        assertThat(
                        cells(
                                "",
                                "services",
                                "{spec: {type: NodePort, clusterIPs: [10.0.0.1], ports: [{port: 80, protocol: TCP, nodePort: 30080}, {port: 53, protocol: UDP}]}}"))
                .isEqualTo("[\"x\",\"NodePort\",\"10.0.0.1\",\"<none>\",\"80:30080/TCP,53/UDP\",\"5m10s\",\"<none>\"]");
    }

    @Test
    void eventsShowWhatTheyAreAbout() {
        assertThat(
                        cells(
                                "",
                                "events",
                                "{type: Warning, reason: Failed, message: 'no room ', involvedObject: {kind: Pod, name: p}, lastTimestamp: '2026-01-01T00:59:30Z', firstTimestamp: '2026-01-01T00:58:00Z', count: 3, source: {component: berth}}"))
                .isEqualTo("[\"30s\",\"Warning\",\"Failed\",\"pod/p\",\"\",\"berth\",\"no room\",\"2m\",3,\"x\"]");
        assertThat(
                        cells(
                                "events.k8s.io",
                                "events",
                                "{note: hello, regarding: {kind: Pod, name: p}, eventTime: '2026-01-01T00:59:30.000000Z', reportingController: berth, reportingInstance: b-0}"))
                .isEqualTo("[\"30s\",\"\",\"\",\"pod/p\",\"\",\"berth, b-0\",\"hello\",\"30s\",1,\"x\"]");
    }

    @Test
    void anEventWithoutTimestampsOfTheOldKindIsAsOldAsItsTime() {
        assertThat(
                        cells(
                                "",
                                "events",
                                "{reason: Scheduled, message: ok, involvedObject: {kind: Pod, name: p}, firstTimestamp: null, lastTimestamp: null, eventTime: '2026-01-01T00:59:30.000000Z'}"))
                .startsWith("[\"30s\"");
    }

    @Test
    void resourceClaimsShowTheirState() {
        assertThat(cells("resource.k8s.io", "resourceclaims", "{}")).contains("\"pending\"");
        assertThat(cells("resource.k8s.io", "resourceclaims", "{status: {allocation: {}, reservedFor: [{name: p}]}}"))
                .contains("\"allocated,reserved\"");
    }

    @Test
    void otherKindsShowWhenTheyWereCreated() {
        assertThat(cells("rbac.authorization.k8s.io", "clusterroles", "{}"))
                .isEqualTo("[\"x\",\"2026-01-01T00:54:50Z\"]");
    }

    @Test
    void customColumnsAreReadByPath() {
        catalog.define(widgets("{type: object}"));
        assertThat(cells(
                        "example.com",
                        "widgets",
                        "{spec: {size: 3, tags: [a, b]}, status: {conditions: [{type: Ready, status: 'False'}]}}"))
                .isEqualTo("[\"x\",3,\"False\",\"a\",\"5m10s\"]");
        assertThat(cells("example.com", "widgets", "{}")).isEqualTo("[\"x\",null,null,null,\"5m10s\"]");
    }

    @Test
    void listsCarryTheirOwnMetadata() {
        var table = tables.list(
                type("", "pods"),
                yaml("{resourceVersion: '7', continue: abc}"),
                List.of(),
                Tables.IncludeObject.METADATA);
        assertThat(table.path("metadata")).isEqualTo(yaml("{resourceVersion: '7', continue: abc}"));
        assertThat(table.path("rows")).isEmpty();
    }

    @Test
    void onlyTheFirstEventOfAWatchNamesTheColumns() {
        ObjectNode pod = yaml("{metadata: {name: x, resourceVersion: '7'}}");
        var first = tables.event(type("", "pods"), pod, Tables.IncludeObject.OBJECT, true);
        var second = tables.event(type("", "pods"), pod, Tables.IncludeObject.OBJECT, false);
        assertThat(first.path("columnDefinitions")).hasSize(9);
        assertThat(second.path("columnDefinitions").isNull()).isTrue();
        assertThat(second.at("/metadata/resourceVersion").asText()).isEqualTo("7");
        assertThat(second.at("/rows/0/object")).isEqualTo(pod);
    }

    @Test
    void anUnknownIncludeObjectIsRefused() {
        assertThatThrownBy(() -> Tables.IncludeObject.of("Foo"))
                .hasMessage(
                        "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty");
    }

    @ParameterizedTest
    @CsvSource({
        "-5,<invalid>",
        "-1,0s",
        "0,0s",
        "119,119s",
        "120,2m",
        "310,5m10s",
        "600,10m",
        "10799,179m",
        "10800,3h",
        "10860,3h1m",
        "28800,8h",
        "172800,2d",
        "176400,2d1h",
        "691200,8d",
        "63072000,2y",
        "63158400,2y1d",
        "315360000,10y"
    })
    void agesAreShort(long seconds, String shown) {
        assertThat(HumanDuration.of(Duration.ofSeconds(seconds))).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        .a.b | [1]
        $.a.b | [1]
        {.a.b} | [1]
        .list[0].n | ["x"]
        .list[-1].n | ["y"]
        .list[*].n | ["x","y"]
        .list[0:1].n | ["x"]
        .list[?(@.n=="y")].v | [2]
        .list[?(@.v>1)].n | ["y"]
        .list[?(@.n!='y')].v | [1]
        .list[?(@.z)].n | ["x"]
        .quoted['d.e/f'] | [5]
        .quoted.d\\.e/f | [5]
        .nothing.here | []
        .list[what] | []
        """)
    void pathsFindValues(String path, String found) {
        ObjectNode object = yaml("{a: {b: 1}, list: [{n: x, v: 1, z: 1}, {n: y, v: 2}], quoted: {d.e/f: 5}}");
        var values =
                JsonNodeFactory.instance.arrayNode().addAll(JsonPath.of(path).find(object));
        assertThat(values).hasToString(found);
    }
}
