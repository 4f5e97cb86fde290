package dev.berth.apiserver.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks webhooks; everything that can go wrong on the way is a {@link WebhookFailure} with Kubernetes' own words. */
final class WebhookClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookClient.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TARGETS = 1_000;

    private final ServiceAddresses services;
    private final Map<JsonNode, WebhookTarget> targets = new ConcurrentHashMap<>();
    private final ScheduledExecutorService watchdog;

    WebhookClient(ServiceAddresses services) {
        this.services = services;
        var executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("webhook-watchdog").factory());
        executor.setRemoveOnCancelPolicy(true);
        this.watchdog = Executors.unconfigurableScheduledExecutorService(executor);
    }

    WebhookReply call(Invocation invocation, @Nullable ObjectNode object, boolean mutating) {
        Webhook hook = invocation.hook();
        if (invocation.attributes().dryRun() && !hook.safeOnDryRun()) {
            throw ApiException.badRequest("admission webhook \"%s\" does not support dry run".formatted(hook.name()));
        }
        String version = hook.reviewVersions().stream()
                .filter(each -> each.equals("v1") || each.equals("v1beta1"))
                .findFirst()
                .orElseThrow(() -> new WebhookFailure("could not create admission objects: "
                        + "webhook does not accept known AdmissionReview versions (v1, v1beta1)"));
        String uid = UUID.randomUUID().toString();
        byte[] body = bytes(invocation.review(version, uid, object));
        HttpsConnection.Response response = target(hook.clientConfig()).post(body, hook.timeout(), watchdog);
        return WebhookReply.read(checked(response), version, uid, mutating);
    }

    /** Goes on where the webhook's failure is to be ignored, else refuses the write. */
    void failed(Webhook hook, WebhookFailure failure) {
        String message = "failed calling webhook \"%s\": %s".formatted(hook.name(), failure.getMessage());
        if (!hook.ignoresFailure()) throw ApiException.internal(message);
        LOG.warn("webhook={} ignored=true reason={}", hook.name(), failure.getMessage());
    }

    private WebhookTarget target(JsonNode clientConfig) {
        WebhookTarget known = targets.get(clientConfig);
        if (known != null) return known;
        // Configurations whose certificates are renewed leave their old targets behind.
        if (targets.size() >= MOST_TARGETS) close(targets);
        return targets.computeIfAbsent(clientConfig, config -> WebhookTarget.of(config, services));
    }

    private static byte[] bytes(ObjectNode review) {
        try {
            return JSON.writeValueAsBytes(review);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String checked(HttpsConnection.Response response) {
        int status = response.status();
        if (status >= 200 && status < 300) {
            if (!response.body().isEmpty()) return response.body();
            throw called("0-length response with status code: %d and content type: %s"
                    .formatted(status, response.contentType()));
        }
        throw called(
                switch (status) {
                    case 400 -> "the server rejected our request for an unknown reason";
                    case 401 -> "the server has asked for the client to provide credentials";
                    case 403 -> text(response);
                    case 404 -> "the server could not find the requested resource";
                    case 405 -> "the server does not allow this method on the requested resource";
                    case 429 -> "the server has received too many requests and has asked us to try again later";
                    case 503 -> "the server is currently unable to handle the request";
                    default ->
                        "an error on the server (\"%s\") has prevented the request from succeeding"
                                .formatted(text(response).replace("\\", "\\\\").replace("\"", "\\\""));
                });
    }

    private static String text(HttpsConnection.Response response) {
        if (!response.contentType().startsWith("text/")) return "unknown";
        String text = response.body().strip();
        return text.length() > 2048 ? text.substring(0, 2048) : text;
    }

    private static WebhookFailure called(String why) {
        return new WebhookFailure("failed to call webhook: " + why);
    }

    private static void close(Map<JsonNode, WebhookTarget> targets) {
        targets.values().forEach(WebhookTarget::close);
        targets.clear();
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
        close(targets);
    }
}
