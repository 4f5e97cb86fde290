package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CRDS;
import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;

import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The real kubectl, as people use it. What it prints must be the same on both servers, and hold no warning. */
@OnBothServers
class KubectlIT {
    private static final String MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: harbour, labels: {app: berth}}
            data: {boats: "3"}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: boat, labels: {app: berth}}
            spec:
              containers:
              - {name: main, image: "example.org/boat:1", resources: {limits: {nvidia.com/gpu: 1}}}
            """;

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: fleet}
            spec:
              replicas: 2
              selector: {matchLabels: {app: fleet}}
              template:
                metadata: {labels: {app: fleet}}
                spec: {containers: [{name: c, image: "example.org/boat:1"}]}
            """;

    @Story
    void applyCreatesConfiguresAndLeavesAlone(Dialogue server) {
        server.kubectl().run("apply -f -", MAP);
        server.kubectl().run("apply -f -", MAP);
        server.kubectl().run("apply -f -", MAP.replace("\"3\"", "\"4\""));
        server.kubectl().run("get configmap harbour -o jsonpath={.data.boats}");
    }

    @Story
    void applyOnTheServerSideTellsConflicts(Dialogue server) {
        server.kubectl().run("apply --server-side -f -", MAP);
        server.kubectl().run("apply --server-side --field-manager=other -f -", MAP.replace("\"3\"", "\"5\""));
        server.kubectl()
                .run("apply --server-side --field-manager=other --force-conflicts -f -", MAP.replace("\"3\"", "\"5\""));
    }

    @Story
    void applyValidatesWithoutFlags(Dialogue server) {
        server.kubectl().run("apply -f -", MAP + "shape: round\n");
        server.kubectl().run("create -f -", POD.replace("image:", "imaj:"));
    }

    /** What {@code kubectl get -o yaml} prints of several; kubectl validates it by the second version of OpenAPI. */
    @Story
    void aListIsValidatedAndApplied(Dialogue server) {
        var list = """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: ConfigMap, metadata: {name: first}, data: {boats: "1"}}
                - {apiVersion: v1, kind: Service, metadata: {name: second}, spec: {ports: [{port: 80}]}}
                """;
        server.kubectl().run("apply -f -", list);
        server.kubectl().run("apply -f -", list);
        server.kubectl().run("apply -f -", list.replace("data:", "dater:"));
        server.kubectl().run("apply -f -", list.replace("port: 80", "port: eighty"));
    }

    @Story
    void diffShowsWhatWouldChange(Dialogue server) {
        server.kubectl().run("apply -f -", DEPLOYMENT);
        server.kubectl()
                .with("KUBECTL_EXTERNAL_DIFF", "diff -U0 -r")
                .runShowing("diff -f -", DEPLOYMENT.replace("replicas: 2", "replicas: 5"), "replicas");
    }

    @Story
    void getPrintsTables(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("create -f -", POD);
        server.kubectl().run("create -f -", DEPLOYMENT);
        server.kubectl().run("get configmaps --field-selector metadata.name=harbour");
        server.kubectl().run("get pods,deployments");
        server.kubectl().run("get pods -o wide");
        server.kubectl().run("get pods --show-labels");
        server.kubectl().run("get pods -L app");
        server.kubectl().run("get pods -l app=nothing");
        server.kubectl().run("get pod nobody");
    }

    @Story
    void getPrintsOtherForms(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("get configmap harbour -o name");
        server.kubectl().run("get configmap harbour -o yaml");
        server.kubectl().run("get configmap harbour -o json");
        server.kubectl().run("get configmap harbour -o custom-columns=NAME:.metadata.name,BOATS:.data.boats");
        server.kubectl().run("get configmap harbour -o go-template={{.data.boats}}");
        server.kubectl().run("get cm --sort-by=.metadata.name -l app=berth");
    }

    @Story
    void getPrintsNodesAndLeases(Dialogue server) {
        server.cleanUp(NODES + "/kubectl-node");
        server.kubectl().run("create -f -", """
                        {apiVersion: v1, kind: Node, metadata: {name: kubectl-node, labels: {of: kubectl}}}
                        ---
                        {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l}, spec: {holderIdentity: me}}
                        """);
        server.kubectl().run("get nodes -l of=kubectl");
        server.kubectl().run("get nodes -l of=kubectl -o wide");
        server.kubectl().run("get leases");
        server.kubectl().run("cordon kubectl-node");
        server.kubectl().run("uncordon kubectl-node");
        server.kubectl().run("taint node kubectl-node dedicated=gpu:NoSchedule");
    }

    @Story
    void describeTellsAll(Dialogue server) {
        server.kubectl().run("create -f -", POD);
        server.kubectl().run("describe pod boat");
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("describe configmap harbour");
    }

    @Story
    void explainSaysSomething(Dialogue server) {
        server.kubectl().run("explain configmap");
        server.kubectl().run("explain pod.spec.containers.image");
        server.kubectl().run("explain deployment.spec.replicas");
        server.kubectl().run("explain lease.spec");
        server.kubectl().run("explain spaceship");
    }

    @Story
    void editGoesThroughTheEditor(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        var editor = E2eFolder.target("editor").toString();
        writeEditor(editor);
        server.kubectl().with("EDITOR", editor).run("edit configmap harbour");
        server.kubectl().run("get configmap harbour -o jsonpath={.data}");
        server.kubectl().with("EDITOR", "true").run("edit configmap harbour");
    }

    private static void writeEditor(String path) {
        try {
            var file = Path.of(path);
            Files.writeString(file, "#!/bin/sh\nsed -i 's/boats: \"3\"/boats: \"7\"/' \"$1\"\n");
            if (!file.toFile().setExecutable(true)) throw new IllegalStateException(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Story
    void labelsAndAnnotationsAreSet(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("label configmap harbour tide=high");
        server.kubectl().run("label configmap harbour tide=low");
        server.kubectl().run("label configmap harbour tide=low --overwrite");
        server.kubectl().run("label configmap harbour tide-");
        server.kubectl().run("annotate configmap harbour note=hello");
        server.kubectl().run("get configmap harbour -o jsonpath={.metadata.labels}{.metadata.annotations}");
    }

    @Story
    void patchesAreSent(Dialogue server) {
        server.kubectl().run("create -f -", DEPLOYMENT);
        server.kubectl().run("patch deployment fleet -p {\"spec\":{\"paused\":true}}");
        server.kubectl().run("patch deployment fleet --type=merge -p {\"spec\":{\"paused\":null}}");
        server.kubectl()
                .run(
                        "patch deployment fleet --type=json -p [{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":1}]");
        server.kubectl().run("set image deployment/fleet c=example.org/boat:2");
        server.kubectl()
                .run("get deployment fleet -o jsonpath={.spec.replicas}{.spec.template.spec.containers[0].image}");
    }

    @Story
    void workloadsAreScaled(Dialogue server) {
        server.kubectl().run("create -f -", DEPLOYMENT);
        server.kubectl().run("scale deployment fleet --replicas=4");
        server.kubectl().run("scale deployment fleet --current-replicas=9 --replicas=1");
        server.kubectl().run("get deployment fleet -o jsonpath={.spec.replicas}");
    }

    @Story
    void thingsAreCreatedByCommand(Dialogue server) {
        server.kubectl().run("create configmap quick --from-literal=a=b");
        server.kubectl().run("create configmap quick --from-literal=a=b");
        server.kubectl().run("create secret generic hidden --from-literal=a=b");
        server.kubectl().run("create deployment web --image=example.org/web");
        server.kubectl().run("create serviceaccount robot");
        server.kubectl().run("create job once --image=example.org/job");
        server.kubectl().run("create service clusterip door --tcp=80:8080");
        server.kubectl().run("run solo --image=example.org/solo --restart=Never");
        server.kubectl().run("expose deployment web --port=80");
    }

    @Story
    void thingsAreDeletedByCommand(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("delete configmap harbour");
        server.kubectl().run("delete configmap harbour");
        server.kubectl().run("delete configmap harbour --ignore-not-found");
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("delete configmaps -l app=berth");
        server.kubectl().run("create -f -", POD);
        server.kubectl().run("delete pod boat");
    }

    @Story
    void replaceReplaces(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("replace -f -", MAP.replace("\"3\"", "\"8\""));
        server.kubectl().run("replace -f -", MAP.replace("name: harbour", "name: other"));
    }

    @Story
    void waitWaits(Dialogue server) {
        server.kubectl().run("create -f -", POD);
        server.kubectl().run("wait pod/boat --for=jsonpath={.status.phase}=Pending --timeout=10s");
        server.quietly(
                "PUT",
                PODS + "/boat/status",
                "{metadata: {name: boat}, status: {phase: Running, conditions: [{type: Ready, status: \"True\"}]}}");
        server.kubectl().run("wait pod/boat --for=condition=Ready --timeout=10s");
        server.quietly("DELETE", PODS + "/boat", "");
        server.kubectl().run("wait pod/boat --for=delete --timeout=10s");
    }

    @Story
    void watchPrintsWhatHappens(Dialogue server) {
        server.kubectl().run("create -f -", MAP);
        server.kubectl().run("get configmaps -l app=berth --watch --request-timeout=2s");
        server.kubectl().run("get configmaps -l app=berth --watch-only --output-watch-events --request-timeout=1s");
    }

    @Story
    void resourcesAreListed(Dialogue server) {
        for (var group : List.of("apps", "coordination.k8s.io", "scheduling.k8s.io", "apiextensions.k8s.io")) {
            server.kubectl()
                    .runShowing(
                            "api-resources --api-group=" + group + " --no-headers",
                            "",
                            "deployments|statefulsets|replicasets|leases |priorityclasses|customresourcedefinitions");
        }
        server.kubectl()
                .runShowing("api-versions", "", "^(v1|apps/v1|batch/v1|resource.k8s.io/v1|coordination.k8s.io/v1)$");
    }

    @Story
    void anAdministratorCan(Dialogue server) {
        server.kubectl().run("auth can-i create pods");
        server.kubectl().run("auth can-i list leases");
    }

    @Story
    void aCustomKindWorksLikeAnyOther(Dialogue server) {
        server.cleanUp(CRDS + "/ports.kubectl.example.org");
        server.kubectl().run("create -f -", """
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: ports.kubectl.example.org}
                        spec:
                          group: kubectl.example.org
                          scope: Namespaced
                          names: {plural: ports, singular: port, kind: Port, shortNames: [prt]}
                          versions:
                          - name: v1
                            served: true
                            storage: true
                            schema:
                              openAPIV3Schema:
                                type: object
                                description: A place for boats.
                                properties: {spec: {type: object, description: What is wanted., properties: {depth: {type: integer, description: In metres.}}}}
                            additionalPrinterColumns: [{name: Depth, type: integer, jsonPath: .spec.depth}]
                        """);
        server.kubectl().run("wait crd/ports.kubectl.example.org --for=condition=Established --timeout=20s");
        // The real server describes a new kind a moment after it serves it, first in the index, then in full.
        server.await("/openapi/v3", index -> index.path("paths").has("apis/kubectl.example.org/v1"));
        server.await(
                "/openapi/v3/apis/kubectl.example.org/v1",
                group -> group.path("paths").has("/apis/kubectl.example.org/v1/namespaces/{namespace}/ports/{name}"));
        var port = "---\n{apiVersion: kubectl.example.org/v1, kind: Port, metadata: {name: p}, spec: {depth: %s}}";
        server.kubectl().run("apply -f -", port.formatted("12"));
        server.kubectl().run("get ports");
        server.kubectl().run("get prt p -o jsonpath={.spec}");
        server.kubectl().run("apply -f -", port.formatted("13"));
        server.kubectl().run("apply -f -", port.formatted("deep"));
        server.kubectl().run("explain port.spec");
        server.kubectl().run("describe port p");
        server.kubectl().run("delete port p");
    }

    @Story
    void eventsAreTold(Dialogue server) {
        server.quietly("POST", "/api/v1/namespaces/{ns}/events", """
                metadata: {name: e}
                involvedObject: {kind: Pod, namespace: "{ns}", name: boat}
                reason: FailedScheduling
                message: no room
                type: Warning
                firstTimestamp: "2020-01-01T00:00:00Z"
                lastTimestamp: "2020-01-01T00:00:00Z"
                count: 3
                """);
        server.kubectl().runShowing("get events", "", "FailedScheduling");
        server.kubectl().runShowing("events", "", "FailedScheduling");
    }
}
