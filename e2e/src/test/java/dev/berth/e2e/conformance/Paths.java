package dev.berth.e2e.conformance;

/** Where the resources of the stories lie; {@code {ns}} is the story's namespace. */
final class Paths {
    static final String CONFIG_MAPS = "/api/v1/namespaces/{ns}/configmaps";
    static final String SECRETS = "/api/v1/namespaces/{ns}/secrets";
    static final String SERVICES = "/api/v1/namespaces/{ns}/services";
    static final String SERVICE_ACCOUNTS = "/api/v1/namespaces/{ns}/serviceaccounts";
    static final String PODS = "/api/v1/namespaces/{ns}/pods";
    static final String EVENTS = "/api/v1/namespaces/{ns}/events";
    static final String NAMESPACES = "/api/v1/namespaces";
    static final String NODES = "/api/v1/nodes";
    static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
    static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/{ns}/deployments";
    static final String REPLICA_SETS = "/apis/apps/v1/namespaces/{ns}/replicasets";
    static final String STATEFUL_SETS = "/apis/apps/v1/namespaces/{ns}/statefulsets";
    static final String JOBS = "/apis/batch/v1/namespaces/{ns}/jobs";
    static final String PRIORITY_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String MUTATING = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    static final String VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    static final String RESOURCE_SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    static final String RESOURCE_CLAIMS = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims";
    static final String CLAIM_TEMPLATES = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaimtemplates";
    static final String TAINT_RULES = "/apis/resource.k8s.io/v1beta2/devicetaintrules";
    static final String DEVICE_CLASSES = "/apis/resource.k8s.io/v1/deviceclasses";

    /** A pod with one container and nothing else said. */
    static final String SMALL_POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: small}
            spec: {containers: [{name: main, image: example.org/app:1}]}
            """;

    private Paths() {}
}
