package dev.berth.assigner;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.assigner.reservation.Promotions;
import dev.berth.assigner.wire.FinalizeRequest;
import dev.berth.assigner.wire.FinalizeRequest.UnusableException;
import dev.berth.kube.retry.Failure;
import dev.berth.web.BearerToken;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /finalize}: a caller tells that a reservation has become a pod. */
final class FinalizeRoute {
    private static final Logger LOG = LoggerFactory.getLogger(FinalizeRoute.class);

    private final Promotions promotions;
    private final Optional<BearerToken> token;

    FinalizeRoute(Promotions promotions, Optional<Path> tokenFile) {
        this.promotions = promotions;
        this.token = tokenFile.map(BearerToken::new);
    }

    void addTo(HttpRouting.Builder routes) {
        routes.post("/finalize", this::answer);
    }

    private void answer(ServerRequest request, ServerResponse response) {
        if (token.isPresent() && !token.get().isShownBy(request)) {
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
            refuse(response, Status.UNAUTHORIZED_401, "the bearer token is missing or not the right one");
            return;
        }
        FinalizeRequest asked;
        try {
            var body = request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
            asked = FinalizeRequest.decode(body);
        } catch (UnusableException problem) {
            refuse(response, Status.BAD_REQUEST_400, String.valueOf(problem.getMessage()));
            return;
        }
        try {
            switch (promotions.promote(asked)) {
                case DONE -> send(response, Status.OK_200, "status", "ok");
                case ABSENT ->
                    refuse(
                            response,
                            Status.NOT_FOUND_404,
                            "no reservation %s on GPU %s".formatted(asked.reservation(), asked.uuid()));
                case TAKEN ->
                    refuse(
                            response,
                            Status.CONFLICT_409,
                            "GPU %s is held by another than reservation %s of pod %s/%s"
                                    .formatted(asked.uuid(), asked.reservation(), asked.namespace(), asked.name()));
            }
        } catch (KubernetesClientException problem) {
            LOG.warn("reservation could not be finalized: uuid={} reason={}", asked.uuid(), Failure.words(problem));
            refuse(
                    response,
                    Status.SERVICE_UNAVAILABLE_503,
                    "the API server could not be asked, try again: " + Failure.words(problem));
        }
    }

    private static void refuse(ServerResponse response, Status status, String why) {
        send(response, status, "error", why);
    }

    private static void send(ServerResponse response, Status status, String field, String value) {
        response.status(status);
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(JsonNodeFactory.instance
                .objectNode()
                .put(field, value)
                .toString()
                .getBytes(StandardCharsets.UTF_8));
    }
}
