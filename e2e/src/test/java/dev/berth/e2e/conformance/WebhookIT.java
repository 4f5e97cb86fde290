package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.MUTATING;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;
import static dev.berth.e2e.conformance.Paths.VALIDATING;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.e2e.story.WebhookServer;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Webhooks: both servers ask the same HTTPS server in this JVM. */
@OnBothServers
class WebhookIT {
    private static final String USER = "/request/userInfo";

    private final WebhookServer hooks = WebhookServer.start();

    @AfterEach
    void stopHooks() {
        hooks.close();
    }

    /**
     * Stores a configuration for the story's namespace and waits until the server follows it: its first webhook is only
     * for the objects by which that is seen.
     */
    private void install(Dialogue server, String kind, String... webhooks) {
        hooks.on("/probe", response -> response);
        server.hide(":" + hooks.port(), ":(port)");
        var name = server.namespace();
        server.cleanUp(kind + "/" + name);
        var created = server.quietly(
                "POST", kind, """
                metadata: {name: %s}
                webhooks:
                - name: probe.example.org
                %s
                  objectSelector: {matchLabels: {probe: "yes"}}
                """.formatted(name, common("/probe").indent(2).stripTrailing()) + named(webhooks));
        if (created.code() != 201) throw new AssertionError(created.text());
        Await.until(
                Duration.ofSeconds(30),
                () -> {
                    server.quietly(
                            "POST",
                            CONFIG_MAPS + "?dryRun=All",
                            "{metadata: {name: probe, labels: {probe: \"yes\"}}, data: {size: \"0\"}}");
                    return !hooks.asked("/probe").isEmpty();
                },
                () -> "the server does not ask the webhooks of " + name);
    }

    private static String named(String... webhooks) {
        var list = new StringBuilder();
        for (var webhook : webhooks) {
            list.append("- name: story-%d.example.org\n".formatted(list.length()))
                    .append(webhook.indent(2));
        }
        return list.toString();
    }

    /** A webhook for the config maps of the story's namespace, without its name. */
    private String common(String path) {
        return """
                clientConfig: {url: "https://127.0.0.1:%d%s", caBundle: %s}
                sideEffects: None
                admissionReviewVersions: [v1]
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "{ns}"}}
                rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps, "configmaps/*", pods, "pods/*"]}]
                """.formatted(hooks.port(), path, hooks.caBundle());
    }

    private static ObjectNode patch(ObjectNode response, String operations) {
        return response.put("patchType", "JSONPatch")
                .put("patch", Base64.getEncoder().encodeToString(operations.getBytes(UTF_8)));
    }

    private static ObjectNode deny(ObjectNode response, int code, String message) {
        response.put("allowed", false).putObject("status").put("code", code).put("message", message);
        return response;
    }

    private void noteQuestions(Dialogue server, String path) {
        server.leaveOut(USER, "who asks depends on how a client authenticates");
        for (var each : hooks.asked(path)) server.note("asked", each.review());
    }

    @Story
    void aMutatingWebhookChangesTheObject(Dialogue server) {
        hooks.on(
                "/story",
                response -> patch(
                        response,
                        "[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"by\": \"webhook\"}}]"));
        install(server, MUTATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.get(CONFIG_MAPS + "/a");
        noteQuestions(server, "/story");
    }

    @Story
    void aWebhookSeesUpdatesAndDeletions(Dialogue server) {
        hooks.on("/story", response -> response);
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {k: w}}");
        server.delete(CONFIG_MAPS + "/a");
        noteQuestions(server, "/story");
    }

    @Story
    void aWebhookSeesSubresources(Dialogue server) {
        hooks.on("/story", response -> response);
        install(server, VALIDATING, common("/story"));
        server.quietly("POST", PODS, SMALL_POD);
        server.quietly("POST", PODS + "/small/binding", "{metadata: {name: small}, target: {kind: Node, name: n1}}");
        // The real server patches what its cache holds, and asks twice if that is not the newest.
        server.await(
                PODS + "?resourceVersion=0",
                list -> list.at("/items/0/spec/nodeName").asText().equals("n1"));
        server.mergePatch(PODS + "/small/status", "{status: {phase: Running}}");
        server.leaveOut("/request/object", "compared in other stories");
        server.leaveOut("/request/oldObject", "compared in other stories");
        noteQuestions(server, "/story");
    }

    @Story
    void aWebhookOfTheOldVersionIsAskedInIt(Dialogue server) {
        hooks.on("/story", response -> response);
        install(
                server,
                VALIDATING,
                common("/story").replace("admissionReviewVersions: [v1]", "admissionReviewVersions: [v1beta1, v1]"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        noteQuestions(server, "/story");
    }

    @Story
    void aDenialIsToldInTheWebhooksWords(Dialogue server) {
        hooks.on("/story", response -> deny(response, 429, "no boats today"));
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aDenialWithoutWordsIsTold(Dialogue server) {
        hooks.on("/story", response -> response.put("allowed", false));
        install(server, MUTATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aDenialWithAReasonIsTold(Dialogue server) {
        hooks.on("/story", response -> {
            response.put("allowed", false).putObject("status").put("reason", "the moon is full");
            return response;
        });
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void warningsReachTheClient(Dialogue server) {
        hooks.on("/story", response -> {
            response.putArray("warnings").add("storm ahead").add("second \"warning\"");
            return response;
        });
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aWebhookThatFailsStopsTheWrite(Dialogue server) {
        hooks.onRaw("/story", exchange -> WebhookServer.send(exchange, 500, "out of order"));
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aWebhookThatFailsMayBeIgnored(Dialogue server) {
        hooks.onRaw("/story", exchange -> WebhookServer.send(exchange, 500, "out of order"));
        install(server, VALIDATING, common("/story") + "failurePolicy: Ignore\n");
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aWebhookThatIsNotThereStopsTheWrite(Dialogue server) {
        install(server, MUTATING, common("/story").replaceAll("127.0.0.1:\\d+", "127.0.0.1:1"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aSlowWebhookTimesOut(Dialogue server) {
        var done = new CountDownLatch(1);
        hooks.onRaw("/story", exchange -> {
            try {
                if (!done.await(20, TimeUnit.SECONDS)) throw new IllegalStateException("nobody gave up");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        install(server, VALIDATING, common("/story") + "timeoutSeconds: 1\n");
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        done.countDown();
    }

    @Story
    void anotherCertificateIsNotTrusted(Dialogue server) {
        hooks.on("/story", response -> response);
        try (var other = WebhookServer.start()) {
            server.leaveOut("/message", "Go adds a guess at what is wrong with the certificate");
            server.leaveOut("/details/causes/*/message", "the same");
            install(server, VALIDATING, common("/story").replace(hooks.caBundle(), other.caBundle()));
            server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        }
    }

    @Story
    void anAnswerThatIsNoReviewStopsTheWrite(Dialogue server) {
        hooks.onRaw("/story", exchange -> WebhookServer.send(exchange, 200, "{\"hello\": \"world\"}"));
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void anAnswerToAnotherQuestionStopsTheWrite(Dialogue server) {
        hooks.on("/story", response -> response.put("uid", "another"));
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aPatchThatDoesNotApplyIsAnError(Dialogue server) {
        hooks.on("/story", response -> patch(response, "[{\"op\": \"remove\", \"path\": \"/nothing/here\"}]"));
        install(server, MUTATING, common("/story") + "failurePolicy: Ignore\n");
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void aPatchThatMakesTheObjectInvalidIsRefused(Dialogue server) {
        hooks.on(
                "/story",
                response -> patch(
                        response,
                        "[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"not a label\": \"x\"}}]"));
        install(server, MUTATING, common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void matchConditionsKeepTheRestAway(Dialogue server) {
        hooks.on("/story", response -> deny(response, 403, "matched"));
        install(server, VALIDATING, common("/story") + """
                        matchConditions:
                        - {name: big, expression: "has(object.data) && 'size' in object.data && int(object.data.size) > 10"}
                        - {name: not-ours, expression: "request.operation == 'CREATE' && object.metadata.name != 'mine'"}
                        """);
        server.post(CONFIG_MAPS, "{metadata: {name: small}, data: {size: \"3\"}}");
        server.post(CONFIG_MAPS, "{metadata: {name: big}, data: {size: \"30\"}}");
        server.post(CONFIG_MAPS, "{metadata: {name: mine}, data: {size: \"30\"}}");
    }

    @Story
    void aMatchConditionThatFailsStopsTheWrite(Dialogue server) {
        hooks.on("/story", response -> response);
        install(
                server,
                VALIDATING,
                common("/story") + "matchConditions: [{name: careless, expression: \"object.data.size == 'x'\"}]\n");
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
    }

    @Story
    void anObjectSelectorKeepsTheRestAway(Dialogue server) {
        hooks.on("/story", response -> deny(response, 403, "selected"));
        install(server, VALIDATING, common("/story") + "objectSelector: {matchLabels: {tier: gpu}}\n");
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {tier: cpu}}}");
        server.post(CONFIG_MAPS, "{metadata: {name: b, labels: {tier: gpu}}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {labels: {tier: gpu}}}");
    }

    @Story
    void aTriedWriteIsMarked(Dialogue server) {
        hooks.on("/story", response -> response);
        install(server, VALIDATING, common("/story"));
        server.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: a}}");
        noteQuestions(server, "/story");
    }

    @Story
    void aWebhookWithSideEffectsIsNotTried(Dialogue server) {
        hooks.on("/story", response -> response);
        install(
                server,
                VALIDATING,
                common("/story").replace("sideEffects: None", "sideEffects: NoneOnDryRun") + "matchPolicy: Exact\n");
        server.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: a}}");
        server.note("asked", hooks.asked("/story").size());
    }

    @Story
    void aWebhookIsAskedAgainAfterLaterChanges(Dialogue server) {
        hooks.on("/first", response -> response);
        hooks.on(
                "/story",
                response -> patch(
                        response,
                        "[{\"op\": \"add\", \"path\": \"/metadata/annotations\", \"value\": {\"later\": \"yes\"}}]"));
        install(server, MUTATING, common("/first") + "reinvocationPolicy: IfNeeded\n", common("/story"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.note("first asked", hooks.asked("/first").size());
        server.note("later asked", hooks.asked("/story").size());
    }

    @Story
    void rulesChooseTheOperations(Dialogue server) {
        hooks.on("/story", response -> deny(response, 403, "no changes"));
        install(server, VALIDATING, common("/story").replace("operations: [\"*\"]", "operations: [UPDATE]"));
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: v}}");
        server.delete(CONFIG_MAPS + "/a");
    }

    @Story
    void severalDenialsAreToldAsTheFirst(Dialogue server) {
        hooks.on("/story", response -> deny(response, 400, "first"));
        install(server, MUTATING, common("/story"));
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{metadata: {name: Bad_Name}}");
    }

    @Story
    void aWebhookMayChangeThePriorityOfAPod(Dialogue server) {
        hooks.on("/story", response -> patch(response, """
                [{"op": "add", "path": "/spec/priorityClassName", "value": "system-node-critical"},
                 {"op": "remove", "path": "/spec/priority"},
                 {"op": "remove", "path": "/spec/preemptionPolicy"}]
                """));
        install(server, MUTATING, common("/story").replace("operations: [\"*\"]", "operations: [CREATE]"));
        server.post(PODS, SMALL_POD);
    }
}
