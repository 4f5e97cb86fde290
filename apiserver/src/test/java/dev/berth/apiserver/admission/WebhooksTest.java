package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.StoredObjects.attributes;
import static dev.berth.apiserver.admission.StoredObjects.creating;
import static dev.berth.apiserver.admission.StoredObjects.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.status.ApiException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhooksTest {
    private static final String CONFIG_MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: team}}";
    private final StoredObjects stored = new StoredObjects().namespace("team", "Active");
    private final AdmissionChain chain = new AdmissionChain(stored, stored, new Rules());
    private final List<String> warnings = new ArrayList<>();
    private final WebhookServer server;

    WebhooksTest() throws Exception {
        server = new WebhookServer();
    }

    @BeforeEach
    void allow() {
        server.answers("/ok", response -> response);
    }

    @AfterEach
    void close() {
        chain.close();
        server.close();
    }

    private String url(String path) {
        return "{url: 'https://127.0.0.1:%d%s', caBundle: %s}".formatted(server.port(), path, server.caBundle);
    }

    private void hook(String plural, String name, String clientConfig, String more) {
        stored.with("admissionregistration.k8s.io", "v1", plural, """
                metadata: {name: %s, uid: uid-%s}
                webhooks:
                - name: %s.berth.dev
                  clientConfig: %s
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  timeoutSeconds: 5
                  rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]
                  %s
                """.formatted(
                        name, name, name, clientConfig, more.replace("\n", "\n  ")));
    }

    private void mutating(String name, String path, String more) {
        hook("mutatingwebhookconfigurations", name, url(path), more);
    }

    private void validating(String name, String path, String more) {
        hook("validatingwebhookconfigurations", name, url(path), more);
    }

    private ObjectNode create() {
        return create(StoredObjects.CONFIG_MAP, CONFIG_MAP);
    }

    private ObjectNode create(ResourceType type, String yaml) {
        ObjectNode object = yaml(yaml);
        var attributes = creating(type, object);
        ObjectNode result = Objects.requireNonNull(chain.mutate(attributes, object, warnings::add));
        chain.validate(attributes, result, warnings::add);
        return result;
    }

    private void refused(int code, String message) {
        assertThatThrownBy(this::create)
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void aWebhookIsShownTheWholeRequest() {
        mutating("one", "/ok", "");
        create();
        assertThat(server.reviews).hasSize(1);
        ObjectNode request = (ObjectNode) server.reviews.getFirst().path("request");
        assertThat(request.path("uid").asText()).hasSize(36);
        request.remove("uid");
        assertThat(request).hasToString("""
                {"kind":{"group":"","version":"v1","kind":"ConfigMap"},\
                "resource":{"group":"","version":"v1","resource":"configmaps"},\
                "requestKind":{"group":"","version":"v1","kind":"ConfigMap"},\
                "requestResource":{"group":"","version":"v1","resource":"configmaps"},\
                "name":"c","namespace":"team","operation":"CREATE",\
                "userInfo":{"username":"ada","uid":"uid-1","groups":["people"]},\
                "object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"team"}},\
                "oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions"}}""");
    }

    @Test
    void everyCallHasAFreshUidAndReusesTheConnection() {
        mutating("one", "/ok", "");
        create();
        create();
        assertThat(server.reviews)
                .extracting(review -> review.at("/request/uid").asText())
                .doesNotHaveDuplicates();
        assertThat(server.peers.get(0)).isEqualTo(server.peers.get(1));
    }

    @Test
    void patchesAreAppliedInTheOrderOfTheConfigurationsNames() {
        server.patches("/b", "[{\"op\":\"replace\",\"path\":\"/data/x\",\"value\":\"b\"}]");
        server.patches("/a", "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"x\":\"a\"}}]");
        mutating("b", "/b", "");
        mutating("a", "/a", "");
        assertThat(create().at("/data/x").asText()).isEqualTo("b");
    }

    @Test
    void aWebhookThatAsksForItIsCalledAgainAfterALaterChange() {
        server.patches("/b", "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"x\":\"y\"}}]");
        mutating("a", "/ok", "reinvocationPolicy: IfNeeded");
        mutating("b", "/b", "");
        create();
        assertThat(server.reviews).hasSize(3);
        assertThat(server.reviews.getLast().at("/request/object").has("data")).isTrue();
    }

    @Test
    void aPatchThatDoesNotApplyIsNotCoveredByIgnore() {
        server.patches("/bad", "[{\"op\":\"remove\",\"path\":\"/metadata/nope/x\"}]");
        mutating("one", "/bad", "failurePolicy: Ignore");
        refused(500, "Internal error occurred: remove operation does not apply: doc is missing path");
    }

    @Test
    void aRefusalCarriesTheWebhooksCodeAndReason() {
        server.answers("/no", response -> {
            response.put("allowed", false)
                    .putObject("status")
                    .put("code", 429)
                    .put("reason", "TooManyRequests")
                    .put("message", "all taken");
            return response;
        });
        validating("one", "/no", "failurePolicy: Ignore");
        refused(429, "admission webhook \"one.berth.dev\" denied the request: all taken");
    }

    @Test
    void aRefusalWithoutExplanationIsABadRequest() {
        server.answers("/no", response -> response.put("allowed", false));
        mutating("one", "/no", "");
        refused(400, "admission webhook \"one.berth.dev\" denied the request without explanation");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            uid       | received invalid webhook response: expected response.uid=
            patch     | received invalid webhook response: webhook returned response.patch but not response.patchType
            patchType | received invalid webhook response: webhook returned response.patchType but not response.patch
            """)
    void nonsenseInTheReplyIsAFailure(String field, String message) {
        server.answers("/odd", response -> response.put(field, "b3RoZXI="));
        mutating("one", "/odd", "");
        refused(500, "Internal error occurred: failed calling webhook \"one.berth.dev\": " + message);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            500 | boom | an error on the server ("boom") has prevented the request from succeeding
            503 | busy | the server is currently unable to handle the request
            404 | none | the server could not find the requested resource
            200 | ``   | 0-length response with status code: 200 and content type: text/plain
            """)
    void anHttpErrorIsAFailure(int code, String body, String message) {
        server.answers("/err", new WebhookServer.Raw(code, "text/plain", body));
        mutating("one", "/err", "");
        refused(500, "failed calling webhook \"one.berth.dev\": failed to call webhook: " + message);
        mutating("one", "/err", "failurePolicy: Ignore");
        assertThat(create().path("kind").asText()).isEqualTo("ConfigMap");
    }

    @Test
    void aValidatingWebhookMayNotPatch() {
        server.patches("/patch", "[]");
        validating("one", "/patch", "");
        refused(500, "received invalid webhook response: validating webhook may not return response.patch");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        try (var other = new WebhookServer()) {
            hook(
                    "mutatingwebhookconfigurations",
                    "one",
                    "{url: 'https://127.0.0.1:%d/ok', caBundle: %s}".formatted(server.port(), other.caBundle),
                    "");
            refused(500, "tls: failed to verify certificate: x509: certificate signed by unknown authority");
        }
    }

    @Test
    void aServiceIsReachedOnLoopbackUnderItsOwnName() {
        stored.with("", "v1", "services", """
                metadata: {name: hook, namespace: team}
                spec: {clusterIP: 10.0.0.7, ports: [{port: 443, targetPort: %d}]}
                """.formatted(server.port()));
        String service = "{service: {namespace: team, name: hook, path: /ok}, caBundle: %s}".formatted(server.caBundle);
        hook("mutatingwebhookconfigurations", "one", service, "");
        create();
        assertThat(server.reviews).hasSize(1);
    }

    @Test
    void aServiceWithTheWrongCertificateIsRefused() {
        stored.with("", "v1", "services", """
                metadata: {name: other, namespace: team}
                spec: {clusterIP: None, ports: [{port: 443, targetPort: %d}]}
                """.formatted(server.port()));
        String service = "{service: {namespace: team, name: other}, caBundle: %s}".formatted(server.caBundle);
        hook("mutatingwebhookconfigurations", "one", service, "");
        refused(
                500,
                "Post \"https://other.team.svc:443/?timeout=5s\": tls: failed to verify certificate: x509: certificate is valid for 127.0.0.1, hook.team.svc, not other.team.svc");
    }

    @Test
    void aMissingServiceIsAFailure() {
        String service = "{service: {namespace: team, name: gone}}";
        hook("mutatingwebhookconfigurations", "one", service, "");
        refused(500, "Post \"https://gone.team.svc:443/?timeout=5s\": service \"gone\" not found");
    }

    @Test
    void nobodyListeningIsAFailure() {
        hook("mutatingwebhookconfigurations", "one", "{url: 'https://127.0.0.1:9/x'}", "");
        refused(500, "Post \"https://127.0.0.1:9/x?timeout=5s\": dial tcp 127.0.0.1:9: connect: connection refused");
    }

    @Test
    void aWebhookThatDoesNotAnswerTimesOut() throws Exception {
        try (var silent = new ServerSocket(0)) {
            stored.with("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", """
                    metadata: {name: slow, uid: u}
                    webhooks:
                    - name: slow.berth.dev
                      clientConfig: {url: 'https://127.0.0.1:%d/x'}
                      admissionReviewVersions: [v1]
                      sideEffects: None
                      timeoutSeconds: 1
                      rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]
                    """.formatted(
                            silent.getLocalPort()));
            refused(500, "/x?timeout=1s\": context deadline exceeded");
        }
    }

    @Test
    void dryRunIsRefusedWhereAWebhookHasSideEffects() {
        mutating("one", "/ok", "sideEffects: Some");
        ObjectNode object = yaml(CONFIG_MAP);
        var attributes = attributes(Operation.CREATE, StoredObjects.CONFIG_MAP, object, null, true);
        assertThatThrownBy(() -> chain.mutate(attributes, object, warnings::add))
                .hasMessage("admission webhook \"one.berth.dev\" does not support dry run");
    }

    @Test
    void conditionsKeepRequestsAway() {
        mutating("one", "/ok", """
                matchConditions:
                - {name: yes, expression: 'request.operation == "CREATE" && has(object.metadata.name) && oldObject == null'}
                - {name: no, expression: 'object.metadata.?labels[?"gpu"].orValue("") == "yes"'}""");
        create();
        assertThat(server.reviews).isEmpty();
        create(
                StoredObjects.CONFIG_MAP,
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: team, labels: {gpu: 'yes'}}}");
        assertThat(server.reviews).hasSize(1);
    }

    @Test
    void aConditionThatFailsFollowsTheFailurePolicy() {
        String conditions = "matchConditions: [{name: a, expression: 'object.spec.foo == \"x\"'}]\n";
        mutating("one", "/ok", conditions);
        refused(
                403,
                "configmaps \"c\" is forbidden: expression 'object.spec.foo == \"x\"' resulted in error: no such key: spec");
        mutating("one", "/ok", conditions + "failurePolicy: Ignore");
        create();
        assertThat(server.reviews).isEmpty();
    }

    @Test
    void selectorsLookAtTheNamespaceAndAtTheOldAndNewObject() {
        mutating("elsewhere", "/ok", "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}");
        mutating("labelled", "/ok", "objectSelector: {matchExpressions: [{key: gpu, operator: In, values: [a, b]}]}");
        create();
        assertThat(server.reviews).isEmpty();
        ObjectNode old = yaml("{metadata: {name: c, namespace: team, labels: {gpu: a}}}");
        chain.mutate(
                attributes(Operation.UPDATE, StoredObjects.CONFIG_MAP, old, old, false),
                yaml(CONFIG_MAP),
                warnings::add);
        assertThat(server.reviews).hasSize(1);
    }

    @Test
    void deletionsShowOnlyTheOldObject() {
        validating("one", "/ok", "");
        ObjectNode old = yaml(CONFIG_MAP);
        chain.validate(attributes(Operation.DELETE, StoredObjects.CONFIG_MAP, old, old, false), null, warnings::add);
        assertThat(server.reviews.getFirst().at("/request/object").isNull()).isTrue();
        assertThat(server.reviews
                        .getFirst()
                        .at("/request/oldObject/metadata/name")
                        .asText())
                .isEqualTo("c");
    }

    @Test
    void anEquivalentVersionIsShownAsTheRuleAsksForIt() {
        ResourceType v1 = StoredObjects.type("berth.dev", "v1", "Ship", "ships", true);
        ResourceType v2 = StoredObjects.type("berth.dev", "v2", "Ship", "ships", true);
        stored.serving(v1).serving(v2);
        stored.with(
                "admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", """
                metadata: {name: ships, uid: u}
                webhooks:
                - name: ships.berth.dev
                  clientConfig: %s
                  admissionReviewVersions: [v1beta1, v1]
                  sideEffects: None
                  rules: [{operations: [CREATE], apiGroups: [berth.dev], apiVersions: [v1], resources: [ships], scope: Namespaced}]
                """.formatted(url("/patch")));
        server.patches("/patch", "[{\"op\":\"add\",\"path\":\"/spec\",\"value\":{}}]");
        ObjectNode ship = create(v2, "{apiVersion: berth.dev/v2, kind: Ship, metadata: {name: s, namespace: team}}");
        assertThat(server.reviews.getFirst().path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1beta1");
        assertThat(server.reviews.getFirst().at("/request/object/apiVersion").asText())
                .isEqualTo("berth.dev/v1");
        assertThat(server.reviews.getFirst().at("/request/requestKind/version").asText())
                .isEqualTo("v2");
        assertThat(ship.path("apiVersion").asText()).isEqualTo("berth.dev/v2");
        assertThat(ship.has("spec")).isTrue();
    }

    @Test
    void webhookConfigurationsAreNeverSentToWebhooks() {
        mutating("one", "/ok", "");
        create(StoredObjects.MUTATING, "{metadata: {name: two}}");
        assertThat(server.reviews).isEmpty();
    }

    @Test
    void warningsReachTheClient() {
        server.answers("/warn", response -> {
            response.set("warnings", JsonNodeFactory.instance.arrayNode().add("careful"));
            return response;
        });
        mutating("one", "/warn", "");
        validating("two", "/warn", "");
        create();
        assertThat(warnings).containsExactly("careful", "careful");
    }
}
