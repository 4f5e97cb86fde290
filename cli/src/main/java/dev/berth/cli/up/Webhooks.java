package dev.berth.cli.up;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the API server to ask our webhooks, by their addresses, as long as this is open. Each is asked only about pods
 * that are its business, and never about those of {@code kube-system}.
 */
final class Webhooks implements AutoCloseable {
    /** The label of namespaces whose pods get advice. */
    static final String ADVISED = "scheduler.radix.ai/enabled";

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final String PATH = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

    private static final String NOT_SYSTEM =
            "namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}";

    private final Cluster cluster;
    private final String host;
    private final String caBundle;
    private final List<String> registered = new ArrayList<>();

    /**
     * @param host the address at which the API server finds this machine
     * @param authorityPem who signed our certificates
     */
    Webhooks(Cluster cluster, String host, String authorityPem) {
        this.cluster = cluster;
        this.host = host;
        this.caBundle = Base64.getEncoder().encodeToString(authorityPem.getBytes(StandardCharsets.UTF_8));
    }

    /** Only pods that name a GPU: one that asks for nvidia.com/gpu alone is the scheduler's. */
    void assigner(int port) {
        register("berth-up-assigner", port, """
                name: assigner.berth.dev
                sideEffects: NoneOnDryRun
                failurePolicy: Fail
                timeoutSeconds: 10
                reinvocationPolicy: IfNeeded
                %s
                rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
                matchConditions:
                - name: names-a-gpu
                  expression: has(object.metadata.labels) && object.metadata.labels.exists(key, key.startsWith('fudo.org/gpu'))
                """.formatted(NOT_SYSTEM));
    }

    void advisor(int port) {
        register("berth-up-advisor", port, """
                name: gpu-scheduler.radix.ai
                sideEffects: NoneOnDryRun
                failurePolicy: Ignore
                timeoutSeconds: 10
                namespaceSelector: {matchLabels: {%s: "true"}}
                rules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
                - {apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs]}
                matchConditions:
                - name: asks-for-advice
                  expression: >-
                    (has(object.metadata.annotations) && 'app.kubernetes.io/job-type' in object.metadata.annotations)
                    || (has(object.spec) && has(object.spec.template) && has(object.spec.template.metadata)
                    && has(object.spec.template.metadata.annotations)
                    && 'app.kubernetes.io/job-type' in object.spec.template.metadata.annotations)
                """.formatted(ADVISED));
    }

    void pinner(int port, String schedulerName) {
        register("berth-up-pinner", port, """
                name: gpu-env-injector.gpu-scheduler.io
                sideEffects: None
                failurePolicy: Ignore
                timeoutSeconds: 5
                reinvocationPolicy: IfNeeded
                %s
                rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
                matchConditions:
                - name: names-this-scheduler
                  expression: has(object.spec.schedulerName) && object.spec.schedulerName == '%s'
                """.formatted(NOT_SYSTEM, schedulerName));
    }

    private void register(String name, int port, String webhook) {
        var yaml = """
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingWebhookConfiguration
                metadata: {name: %s, labels: {app.kubernetes.io/managed-by: berth-up}}
                webhooks:
                - admissionReviewVersions: [v1]
                  clientConfig: {url: "https://%s:%d/mutate", caBundle: %s}
                %s""".formatted(name, bracketed(host), port, caBundle, webhook.indent(2));
        var wanted = cluster.serialization().unmarshal(yaml, MutatingWebhookConfiguration.class);
        registered.add(name);
        cluster.retry().run(Repeat.IF_CONFLICT, PATIENCE, () -> {
            // One that an earlier run could not take back points at a port that nobody listens on.
            var current = cluster.courier().get(PATH + "/" + name, MutatingWebhookConfiguration.class);
            if (current.isPresent()) {
                current.get().setWebhooks(wanted.getWebhooks());
                cluster.courier().tell("PUT", PATH + "/" + name, current.get());
            } else {
                cluster.courier().tell("POST", PATH, wanted);
            }
        });
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** Takes all of them back: before the doors close, or the API server calls nobody. */
    @Override
    public void close() {
        for (var name : registered) {
            try {
                cluster.retry()
                        .run(
                                Repeat.IF_UNKNOWN,
                                PATIENCE,
                                () -> cluster.courier().delete(PATH + "/" + name));
            } catch (KubernetesClientException problem) {
                LOG.warn(
                        "webhook configuration={} is still there, delete it by hand: {}", name, Failure.words(problem));
            }
        }
    }
}
