package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.DEVICE_CLASSES;
import static dev.berth.e2e.conformance.Paths.JOBS;
import static dev.berth.e2e.conformance.Paths.LEASES;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.PRIORITY_CLASSES;
import static dev.berth.e2e.conformance.Paths.REPLICA_SETS;
import static dev.berth.e2e.conformance.Paths.RESOURCE_CLAIMS;
import static dev.berth.e2e.conformance.Paths.RESOURCE_SLICES;
import static dev.berth.e2e.conformance.Paths.SECRETS;
import static dev.berth.e2e.conformance.Paths.SERVICES;
import static dev.berth.e2e.conformance.Paths.SERVICE_ACCOUNTS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;
import static dev.berth.e2e.conformance.Paths.STATEFUL_SETS;
import static dev.berth.e2e.conformance.Paths.TAINT_RULES;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** The tables that kubectl prints, and answers that hold metadata only. */
@OnBothServers
class TableIT {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    private static void table(Dialogue server, String path) {
        server.send(server.request("GET", path).accept(TABLE));
    }

    @Story
    void aTableOfPodsHasItsColumns(Dialogue server) {
        server.quietly("POST", PODS, SMALL_POD);
        server.quietly("POST", PODS, """
                metadata: {name: busy}
                spec: {nodeName: n1, containers: [{name: c, image: i}, {name: d, image: j}]}
                """);
        server.quietly("PUT", PODS + "/busy/status", """
                metadata: {name: busy}
                status:
                  phase: Running
                  podIP: 10.1.2.3
                  podIPs: [{ip: 10.1.2.3}]
                  containerStatuses:
                  - {name: c, image: i, imageID: x, ready: true, restartCount: 3, state: {running: {startedAt: "2020-01-01T00:00:00Z"}}}
                  - {name: d, image: j, imageID: y, ready: false, restartCount: 0, state: {waiting: {reason: CrashLoopBackOff}}}
                """);
        server.leaveOut("/rows/*/cells/4", "the age of the pod");
        table(server, PODS);
    }

    @Story
    void aTableOfNodesHasItsColumns(Dialogue server) {
        server.cleanUp(NODES + "/table-of-nodes");
        server.quietly("POST", NODES, """
                metadata: {name: table-of-nodes, labels: {of: tables, node-role.kubernetes.io/worker: ""}}
                spec: {unschedulable: true}
                status:
                  nodeInfo: {kubeletVersion: v1.36.3, osImage: Linux, kernelVersion: "6", containerRuntimeVersion: "c://1",
                    machineID: m, systemUUID: s, bootID: b, kubeProxyVersion: v, operatingSystem: linux, architecture: amd64}
                  addresses: [{type: InternalIP, address: 10.0.0.9}]
                  conditions: [{type: Ready, status: "True"}]
                """);
        server.leaveOut("/rows/*/cells/3", "the age of the node");
        table(server, NODES + "?labelSelector=of%3Dtables");
    }

    @Story
    void aTableOfLeasesHasItsColumns(Dialogue server) {
        server.quietly("POST", LEASES, "{metadata: {name: a}, spec: {holderIdentity: me}}");
        server.leaveOut("/rows/*/cells/2", "the age of the lease");
        table(server, LEASES);
    }

    @Story
    void aTableOfDeploymentsHasItsColumns(Dialogue server) {
        server.quietly("POST", DEPLOYMENTS, """
                metadata: {name: web}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
                """);
        server.leaveOut("/rows/*/cells/4", "the age");
        table(server, DEPLOYMENTS);
    }

    @Story
    void aTableOfStatefulSetsAndReplicaSetsHasItsColumns(Dialogue server) {
        var spec = """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
                """;
        server.quietly("POST", STATEFUL_SETS, spec);
        server.quietly("POST", REPLICA_SETS, spec);
        server.leaveOut("/rows/0/cells/2", "the age of a stateful set");
        table(server, STATEFUL_SETS);
        server.leaveOut("/rows/0/cells/4", "the age of a replica set");
        table(server, REPLICA_SETS);
    }

    @Story
    void aTableOfJobsHasItsColumns(Dialogue server) {
        server.quietly(
                "POST",
                JOBS,
                "{metadata: {name: j}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
        server.leaveOut("/rows/*/cells/4", "the age");
        table(server, JOBS);
    }

    @Story
    void aTableOfServicesHasItsColumns(Dialogue server) {
        server.quietly(
                "POST",
                SERVICES,
                "{metadata: {name: s}, spec: {clusterIP: None, selector: {a: b}, ports: [{port: 80}]}}");
        server.leaveOut("/rows/*/cells/5", "the age");
        table(server, SERVICES);
    }

    @Story
    void tablesOfSmallKindsHaveTheirColumns(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v, l: w}}");
        server.quietly("POST", SECRETS, "{metadata: {name: a}, data: {k: dg==}}");
        server.quietly("POST", SERVICE_ACCOUNTS, "{metadata: {name: a}}");
        for (int column = 1; column <= 3; column++) server.leaveOut("/rows/*/cells/" + column, "the age is among them");
        table(server, CONFIG_MAPS + "?fieldSelector=metadata.name%3Da");
        table(server, SECRETS);
        table(server, SERVICE_ACCOUNTS + "?fieldSelector=metadata.name%3Da");
        table(server, NAMESPACES + "?fieldSelector=metadata.name%3D{ns}");
    }

    @Story
    void aTableOfPriorityClassesHasItsColumns(Dialogue server) {
        server.leaveOut("/rows/*/cells/3", "the age");
        server.leaveOut("/rows/*/object/metadata/managedFields", "they name who made the class");
        table(server, PRIORITY_CLASSES + "/system-node-critical");
    }

    @Story
    void tablesOfDeviceKindsHaveTheirColumns(Dialogue server) {
        server.cleanUp(DEVICE_CLASSES + "/tables.example.org");
        server.cleanUp(RESOURCE_SLICES + "/tables-slice");
        server.quietly("POST", DEVICE_CLASSES, "{metadata: {name: tables.example.org}}");
        server.quietly(
                "POST",
                RESOURCE_CLAIMS,
                "{metadata: {name: c}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: tables.example.org}}]}}}");
        server.quietly("POST", RESOURCE_SLICES, """
                metadata: {name: tables-slice}
                spec:
                  driver: tables.example.org
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """);
        server.leaveOut("/rows/*/cells/1", "the age of a class");
        table(server, DEVICE_CLASSES + "/tables.example.org");
        server.leaveOut("/rows/*/cells/2", "the age of a claim");
        table(server, RESOURCE_CLAIMS);
        server.leaveOut("/rows/*/cells/4", "the age of a slice");
        table(server, RESOURCE_SLICES + "/tables-slice");
    }

    @Story
    void theTableOfTaintRulesHasItsColumns(Dialogue server) {
        server.cleanUp(TAINT_RULES + "/tables-rule");
        server.quietly(
                "POST",
                TAINT_RULES,
                "{metadata: {name: tables-rule}, spec: {taint: {key: k, value: v, effect: None}}}");
        server.leaveOut("/rows/*/cells/4", "the age of the effect");
        server.leaveOut("/rows/*/cells/5", "the age of the rule");
        table(server, TAINT_RULES + "/tables-rule");
    }

    @Story
    void aTableMayHoldWholeObjectsOrNone(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.leaveOut("/rows/*/cells/2", "the age");
        table(server, CONFIG_MAPS + "?includeObject=Object");
        table(server, CONFIG_MAPS + "?includeObject=None");
        table(server, CONFIG_MAPS + "?includeObject=Half");
    }

    @Story
    void anEmptyTableHasItsColumns(Dialogue server) {
        table(server, CONFIG_MAPS);
        table(server, PODS);
    }

    @Story
    void oneObjectIsATableOfOneRow(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.leaveOut("/rows/*/cells/2", "the age");
        table(server, CONFIG_MAPS + "/a");
        table(server, CONFIG_MAPS + "/nobody");
    }

    @Story
    void oneObjectIsReadAsMetadata(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}, data: {k: v}}");
        server.send(server.request("GET", CONFIG_MAPS + "/a").accept(METADATA));
    }

    @Story
    void aListIsReadAsMetadata(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: b}}");
        server.send(server.request("GET", CONFIG_MAPS).accept(METADATA_LIST));
    }

    @Story
    void aCreationAnswersWithMetadata(Dialogue server) {
        server.send(server.request("POST", CONFIG_MAPS).accept(METADATA).json("{metadata: {name: a}, data: {k: v}}"));
    }
}
