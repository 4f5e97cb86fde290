package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CLAIM_TEMPLATES;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.DEVICE_CLASSES;
import static dev.berth.e2e.conformance.Paths.EVENTS;
import static dev.berth.e2e.conformance.Paths.JOBS;
import static dev.berth.e2e.conformance.Paths.LEASES;
import static dev.berth.e2e.conformance.Paths.MUTATING;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.REPLICA_SETS;
import static dev.berth.e2e.conformance.Paths.RESOURCE_CLAIMS;
import static dev.berth.e2e.conformance.Paths.RESOURCE_SLICES;
import static dev.berth.e2e.conformance.Paths.SECRETS;
import static dev.berth.e2e.conformance.Paths.SERVICES;
import static dev.berth.e2e.conformance.Paths.SERVICE_ACCOUNTS;
import static dev.berth.e2e.conformance.Paths.STATEFUL_SETS;
import static dev.berth.e2e.conformance.Paths.TAINT_RULES;
import static dev.berth.e2e.conformance.Paths.VALIDATING;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** The other kinds that are served, each with what the server adds to it. */
@OnBothServers
class KindsIT {
    private static final String TEMPLATE = """
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: c, image: "example.org/i:1"}]}
            """;

    @Story
    void aServiceGetsAnAddress(Dialogue server) {
        server.post(SERVICES, "{metadata: {name: s}, spec: {selector: {a: b}, ports: [{port: 80}]}}");
        server.get(SERVICES + "/s");
        server.delete(SERVICES + "/s");
    }

    @Story
    void aHeadlessServiceGetsNone(Dialogue server) {
        server.post(
                SERVICES,
                "{metadata: {name: s}, spec: {clusterIP: None, ports: [{name: web, port: 80, targetPort: http}]}}");
    }

    @Story
    void aServiceNeedsPorts(Dialogue server) {
        server.post(SERVICES, "{metadata: {name: s}, spec: {selector: {a: b}}}");
        server.post(SERVICES, "{metadata: {name: s}, spec: {ports: [{port: 80}, {port: 81}]}}");
        server.post(SERVICES, "{metadata: {name: s}, spec: {ports: [{port: 99999}]}}");
    }

    @Story
    void aServiceAccountIsPlain(Dialogue server) {
        server.post(SERVICE_ACCOUNTS, "{metadata: {name: robot}}");
    }

    @Story
    void aLeaseKeepsMicroseconds(Dialogue server) {
        server.post(LEASES, """
                metadata: {name: l}
                spec:
                  holderIdentity: me
                  leaseDurationSeconds: 15
                  acquireTime: "2020-01-02T03:04:05.678901Z"
                  renewTime: "2020-01-02T03:04:05.000000Z"
                  leaseTransitions: 1
                """);
        server.mergePatch(LEASES + "/l", "{spec: {renewTime: \"2020-01-02T03:04:06.000001Z\"}}");
        server.mergePatch(LEASES + "/l", "{spec: {leaseDurationSeconds: 0, leaseTransitions: -1}}");
    }

    @Story
    void anEventIsKept(Dialogue server) {
        server.post(EVENTS, """
                metadata: {name: e}
                involvedObject: {kind: Pod, namespace: "{ns}", name: p}
                reason: FailedScheduling
                message: no room
                type: Warning
                source: {component: story}
                firstTimestamp: "2020-01-01T00:00:00Z"
                lastTimestamp: "2020-01-01T00:00:00Z"
                count: 1
                """);
        server.get(EVENTS + "?fieldSelector=involvedObject.name%3Dp,reason%3DFailedScheduling");
        server.get(EVENTS + "?fieldSelector=involvedObject.name%3Dq");
    }

    @Story
    void anEventOfTheNewGroupIsTheSameObject(Dialogue server) {
        var events = "/apis/events.k8s.io/v1/namespaces/{ns}/events";
        server.post(events, """
                metadata: {name: e}
                eventTime: "2020-01-01T00:00:00.000000Z"
                reportingController: example.org/story
                reportingInstance: story-1
                action: Binding
                reason: Scheduled
                regarding: {kind: Pod, namespace: "{ns}", name: p}
                note: bound
                type: Normal
                """);
        server.get(EVENTS + "/e");
        server.get(events + "/e");
    }

    @Story
    void aDeploymentGetsItsDefaults(Dialogue server) {
        server.post(DEPLOYMENTS, TEMPLATE);
    }

    @Story
    void aReplicaSetGetsItsDefaults(Dialogue server) {
        server.post(REPLICA_SETS, TEMPLATE);
    }

    @Story
    void aStatefulSetGetsItsDefaults(Dialogue server) {
        server.post(STATEFUL_SETS, TEMPLATE);
    }

    @Story
    void aJobGetsItsDefaults(Dialogue server) {
        server.post(
                JOBS,
                "{metadata: {name: j}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
    }

    @Story
    void anIndexedJobGetsItsDefaults(Dialogue server) {
        server.post(
                JOBS,
                "{metadata: {name: j}, spec: {completions: 3, parallelism: 2, completionMode: Indexed, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}");
    }

    @Story
    void aWorkloadMustSelectItsPods(Dialogue server) {
        server.post(DEPLOYMENTS, TEMPLATE.replace("labels: {app: web}", "labels: {app: other}"));
        server.post(
                DEPLOYMENTS, "{metadata: {name: web}, spec: {template: {spec: {containers: [{name: c, image: i}]}}}}");
        server.post(JOBS, "{metadata: {name: j}, spec: {template: {spec: {containers: [{name: c, image: i}]}}}}");
    }

    @Story
    void aWorkloadIsScaled(Dialogue server) {
        server.post(DEPLOYMENTS, TEMPLATE);
        var scale = server.get(DEPLOYMENTS + "/web/scale");
        server.put(
                DEPLOYMENTS + "/web/scale",
                scale.edited(body -> body.withObject("/spec").put("replicas", 4)));
        server.mergePatch(DEPLOYMENTS + "/web/scale", "{spec: {replicas: 2}}");
        server.get(DEPLOYMENTS + "/web");
    }

    @Story
    void theStatusOfAWorkloadIsApart(Dialogue server) {
        server.post(DEPLOYMENTS, TEMPLATE);
        server.mergePatch(
                DEPLOYMENTS + "/web/status", "{status: {replicas: 3, observedGeneration: 1}, spec: {replicas: 9}}");
    }

    @Story
    void secretsHaveTypes(Dialogue server) {
        server.post(SECRETS, "{metadata: {name: t}, type: kubernetes.io/tls, data: {tls.crt: YQ==}}");
        server.post(SECRETS, "{metadata: {name: t}, type: kubernetes.io/basic-auth, stringData: {username: a}}");
        server.post(SECRETS, "{metadata: {name: u}, data: {k: not-base64!}}");
    }

    @Story
    void adminAccessNeedsALabelOnTheNamespace(Dialogue server) {
        String devices = "{devices: {requests: [{name: a, exactly: {deviceClassName: c}},"
                + " {name: b, exactly: {deviceClassName: c, adminAccess: true}}]}}";
        String claim = "{metadata: {name: watches-all}, spec: " + devices + "}";
        String template = "{metadata: {name: watches-all}, spec: {spec: " + devices + "}}";
        server.post(RESOURCE_CLAIMS, claim);
        server.post(CLAIM_TEMPLATES, template);
        server.post(RESOURCE_CLAIMS, claim.replace("adminAccess: true", "adminAccess: false"));
        server.quietly("DELETE", RESOURCE_CLAIMS + "/watches-all", "");

        label(server, "\"false\"");
        server.post(RESOURCE_CLAIMS, claim);
        label(server, "\"true\"");
        server.post(RESOURCE_CLAIMS, claim);
        server.post(CLAIM_TEMPLATES, template);

        label(server, "null");
        String status = "{status: {allocation: {devices: {results: ["
                + "{request: b, driver: gpu.example.org, pool: n1, device: gpu-0, adminAccess: true}]}}}}";
        server.mergePatch(RESOURCE_CLAIMS + "/watches-all/status", status);
        label(server, "\"true\"");
        server.mergePatch(RESOURCE_CLAIMS + "/watches-all/status", status);
        label(server, "null");
        server.mergePatch(RESOURCE_CLAIMS + "/watches-all", "{metadata: {labels: {still: mine}}}");
    }

    private static void label(Dialogue server, String value) {
        server.quietly(server.request("PATCH", NAMESPACES + "/{ns}")
                .body("{\"metadata\": {\"labels\": {\"resource.kubernetes.io/admin-access\": %s}}}".formatted(value))
                .type("application/merge-patch+json"));
    }

    @Story
    void aRuleTaintsDevices(Dialogue server) {
        server.cleanUp(TAINT_RULES + "/broken-gpu");
        server.get("/apis/resource.k8s.io/v1beta2");
        server.post(TAINT_RULES, """
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: broken-gpu}
                spec:
                  deviceSelector: {driver: gpu.example.org, pool: n1, device: gpu-0}
                  taint: {key: example.org/broken, value: "yes", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}
                """);
        server.mergePatch(TAINT_RULES + "/broken-gpu", "{spec: {taint: {value: \"no\"}}}");
        server.mergePatch(TAINT_RULES + "/broken-gpu", "{spec: {taint: {effect: NoExecute}}}");
        server.mergePatch(TAINT_RULES + "/broken-gpu/status", """
                status:
                  conditions:
                  - {type: EvictionInProgress, status: "False", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
                """);
        server.delete(TAINT_RULES + "/broken-gpu");
    }

    @Story
    void aRuleThatTaintsDevicesHasRules(Dialogue server) {
        server.post(TAINT_RULES, "{metadata: {name: r}, spec: {taint: {key: k}}}");
        server.post(TAINT_RULES, "{metadata: {name: r}, spec: {taint: {key: a b, value: c d, effect: Some}}}");
        server.post(
                TAINT_RULES,
                "{metadata: {name: r}, spec: {deviceSelector: {driver: A_B, pool: A_B, device: A_B}, taint: {key: k, effect: None}}}");
    }

    @Story
    void aClaimForDevicesIsKept(Dialogue server) {
        server.post(RESOURCE_CLAIMS, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly:
                        deviceClassName: gpu.example.org
                        selectors: [{cel: {expression: 'device.attributes["gpu.example.org"].model == "a100"'}}]
                """);
    }

    @Story
    void theAllocationOfAClaimIsItsStatus(Dialogue server) {
        server.quietly(
                "POST",
                RESOURCE_CLAIMS,
                "{metadata: {name: c}, spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.org}}]}}}");
        server.mergePatch(RESOURCE_CLAIMS + "/c/status", """
                status:
                  allocation:
                    devices: {results: [{request: gpu, driver: gpu.example.org, pool: n1, device: gpu-0}]}
                    nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
                  reservedFor: [{resource: pods, name: p, uid: 11111111-2222-3333-4444-555555555555}]
                """);
        server.mergePatch(
                RESOURCE_CLAIMS + "/c",
                "{spec: {devices: {requests: [{name: other, exactly: {deviceClassName: x}}]}}}");
    }

    @Story
    void aSliceOfDevicesIsKept(Dialogue server) {
        server.cleanUp(RESOURCE_SLICES + "/a-slice-of-devices");
        server.post(RESOURCE_SLICES, """
                metadata: {name: a-slice-of-devices}
                spec:
                  driver: gpu.example.org
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices:
                  - name: gpu-0
                    attributes: {model: {string: a100}, index: {int: 0}, good: {bool: true}, driverVersion: {version: 1.2.3}}
                    capacity: {memory: {value: 80Gi}}
                """);
        server.get(RESOURCE_SLICES + "?fieldSelector=spec.driver%3Dgpu.example.org,spec.nodeName%3Dn1");
    }

    @Story
    void aDeviceClassIsKept(Dialogue server) {
        server.cleanUp(DEVICE_CLASSES + "/a-device-class.example.org");
        server.post(
                DEVICE_CLASSES,
                "{metadata: {name: a-device-class.example.org}, spec: {selectors: [{cel: {expression: 'device.driver == \"gpu.example.org\"'}}]}}");
    }

    @Story
    void aTemplateOfClaimsIsKept(Dialogue server) {
        server.post(
                CLAIM_TEMPLATES,
                "{metadata: {name: t}, spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.example.org}}]}}}}");
    }

    @Story
    void webhookConfigurationsGetTheirDefaults(Dialogue server) {
        server.cleanUp(MUTATING + "/defaults");
        server.cleanUp(VALIDATING + "/defaults");
        var hook = """
                metadata: {name: defaults}
                webhooks:
                - name: nobody.example.org
                  sideEffects: None
                  admissionReviewVersions: [v1]
                  rules: [{apiGroups: [nothing.example.org], apiVersions: [v1], operations: [CREATE], resources: [things]}]
                  clientConfig: {service: {namespace: default, name: nobody}}
                """;
        server.post(MUTATING, hook);
        server.post(VALIDATING, hook);
    }

    @Story
    void aConditionThatCannotBeReadIsRefused(Dialogue server) {
        server.leaveOut("/message", "the words of the CEL parser");
        server.leaveOut("/details/causes/*/message", "the words of the CEL parser");
        server.post(VALIDATING, """
                metadata: {name: bad}
                webhooks:
                - name: a.example.org
                  sideEffects: None
                  admissionReviewVersions: [v1]
                  matchConditions: [{name: broken, expression: "object.("}]
                  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
                  clientConfig: {service: {namespace: default, name: nobody}}
                """);
    }

    @Story
    void webhookConfigurationsAreValidated(Dialogue server) {
        server.post(
                MUTATING, "{metadata: {name: bad}, webhooks: [{name: short, clientConfig: {url: \"http://plain\"}}]}");
        server.post(VALIDATING, """
                metadata: {name: bad}
                webhooks:
                - name: a.example.org
                  sideEffects: Some
                  timeoutSeconds: 31
                  failurePolicy: Perhaps
                  admissionReviewVersions: [v7]
                  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
                  clientConfig: {}
                """);
    }
}
