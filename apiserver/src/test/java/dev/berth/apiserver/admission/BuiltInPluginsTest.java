package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.StoredObjects.attributes;
import static dev.berth.apiserver.admission.StoredObjects.creating;
import static dev.berth.apiserver.admission.StoredObjects.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.status.ApiException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BuiltInPluginsTest {
    private final StoredObjects stored = new StoredObjects().namespace("team", "Active");
    private final AdmissionChain chain = new AdmissionChain(stored, stored, new Rules());

    @AfterEach
    void close() {
        chain.close();
    }

    private ObjectNode created(ResourceType type, String yaml) {
        ObjectNode object = yaml(yaml);
        var attributes = creating(type, object);
        ObjectNode result = Objects.requireNonNull(chain.mutate(attributes, object, _ -> {}));
        chain.validate(attributes, result, _ -> {});
        return result;
    }

    private void refuses(ResourceType type, String yaml, int code, String message) {
        assertThatThrownBy(() -> created(type, yaml))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code))
                .hasMessage(message);
    }

    @Test
    void aPodToleratesUnhealthyNodesForFiveMinutes() {
        ObjectNode pod = created(StoredObjects.POD, "{metadata: {name: p, namespace: team}, spec: {}}");
        assertThat(pod.at("/spec/tolerations")).hasToString("""
                [{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},\
                {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]""");
    }

    @Test
    void aPodsOwnTolerationIsLeftAlone() {
        ObjectNode pod = created(StoredObjects.POD, """
                metadata: {name: p, namespace: team}
                spec: {tolerations: [{operator: Exists}]}
                """);
        assertThat(pod.at("/spec/tolerations")).hasSize(1);
    }

    @Test
    void aPodWithoutAClassHasPriorityZero() {
        ObjectNode pod = created(StoredObjects.POD, "{metadata: {name: p, namespace: team}, spec: {}}");
        assertThat(pod.at("/spec/priority").asInt(-1)).isZero();
        assertThat(pod.at("/spec/preemptionPolicy").asText()).isEqualTo("PreemptLowerPriority");
        assertThat(pod.at("/spec").has("priorityClassName")).isFalse();
    }

    @Test
    void theDefaultClassIsWrittenIntoThePod() {
        stored.with("scheduling.k8s.io", "v1", "priorityclasses", """
                metadata: {name: usual}
                value: 7
                globalDefault: true
                preemptionPolicy: Never
                """);
        ObjectNode pod = created(StoredObjects.POD, "{metadata: {name: p, namespace: team}, spec: {}}");
        assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("usual");
        assertThat(pod.at("/spec/priority").asInt()).isEqualTo(7);
        assertThat(pod.at("/spec/preemptionPolicy").asText()).isEqualTo("Never");
    }

    @Test
    void aSecondDefaultClassIsRefused() {
        stored.with(
                "scheduling.k8s.io",
                "v1",
                "priorityclasses",
                "{metadata: {name: usual}, value: 7, globalDefault: true}");
        refuses(
                StoredObjects.PRIORITY_CLASS,
                "{metadata: {name: other}, value: 8, globalDefault: true}",
                403,
                "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is already marked as default. Only one default can exist");
    }

    @Test
    void anUnknownClassIsRefused() {
        refuses(
                StoredObjects.POD,
                "{metadata: {name: p, namespace: team}, spec: {priorityClassName: high}}",
                403,
                "pods \"p\" is forbidden: no PriorityClass with name high was found");
    }

    @Test
    void aPodMayNotBringANumberOfItsOwn() {
        refuses(
                StoredObjects.POD,
                "{metadata: {generateName: p-, namespace: team}, spec: {priority: 5}}",
                403,
                "pods \"p-\" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name");
    }

    @Test
    void aNewNodeIsTaintedUntilItIsReady() {
        ObjectNode node = created(StoredObjects.NODE, "{metadata: {name: n}}");
        assertThat(node.at("/spec/taints"))
                .hasToString("[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoSchedule\"}]");
    }

    @Test
    void nothingIsCreatedInANamespaceThatIsMissing() {
        refuses(
                StoredObjects.CONFIG_MAP,
                "{metadata: {name: c, namespace: gone}}",
                404,
                "namespaces \"gone\" not found");
    }

    @Test
    void nothingNewIsCreatedInANamespaceThatEnds() {
        stored.namespace("old", "Terminating");
        refuses(
                StoredObjects.CONFIG_MAP,
                "{metadata: {name: c, namespace: old}}",
                403,
                "configmaps \"c\" is forbidden: unable to create new content in namespace old because it is being terminated");
    }

    @Test
    void theDefaultNamespaceIsNotDeleted() {
        ObjectNode old = yaml("{metadata: {name: default}}");
        var deletion = attributes(Operation.DELETE, StoredObjects.NAMESPACE, old, old, false);
        assertThatThrownBy(() -> chain.mutate(deletion, null, _ -> {}))
                .hasMessage("namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void aConditionThatDoesNotCompileIsRefused() {
        refuses(StoredObjects.MUTATING, """
                metadata: {name: hooks}
                webhooks: [{name: a.b.c, matchConditions: [{name: x, expression: 'request.foo == "1"'}]}]
                """, 422, """
                MutatingWebhookConfiguration.admissionregistration.k8s.io "hooks" is invalid: \
                webhooks[0].matchConditions[0].expression: Invalid value: "request.foo == \\"1\\"": \
                compilation failed: ERROR: <input>:1:8: undefined field 'foo'
                 | request.foo == "1"
                 | .......^""");
    }

    @Test
    void aConditionMustBeABoolean() {
        refuses(StoredObjects.MUTATING, """
                metadata: {name: hooks}
                webhooks: [{name: a.b.c, matchConditions: [{name: x, expression: object.metadata.name}]}]
                """, 422, """
                MutatingWebhookConfiguration.admissionregistration.k8s.io "hooks" is invalid: \
                webhooks[0].matchConditions[0].expression: Invalid value: "object.metadata.name": \
                must evaluate to bool but got dyn""");
    }
}
