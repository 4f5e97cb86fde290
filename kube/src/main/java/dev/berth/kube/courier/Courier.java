package dev.berth.kube.courier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.courier.Transport.Answer;
import dev.berth.kube.courier.Transport.Request;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Throttle;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Single requests: a path, an object, one try, no more. Failures are fabric8's, so that what judges and repeats them
 * need not know which way a request went.
 */
public final class Courier implements AutoCloseable {
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private static final int UNAUTHORIZED = 401;
    private static final byte[] NOTHING = {};

    private final Optional<DirectTransport> direct;
    private final Transport thorough;
    private final ObjectMapper json;
    private final Throttle throttle;
    private final Consumer<String> clock;

    private Courier(
            Optional<DirectTransport> direct,
            Transport thorough,
            ObjectMapper json,
            Throttle throttle,
            Consumer<String> clock) {
        this.direct = direct;
        this.thorough = thorough;
        this.json = json;
        this.throttle = throttle;
        this.clock = clock;
    }

    /**
     * @param json as fabric8's client has set it up
     * @param throttle hears the {@code Retry-After} of answers
     * @param clock hears the {@code Date} of those that do not go through the client
     */
    public static Courier of(
            KubernetesClient client,
            ObjectMapper json,
            Throttle throttle,
            Consumer<String> clock,
            Duration connect,
            Duration patience) {
        return new Courier(
                DirectTransport.of(client.getConfiguration(), connect, patience),
                new ClientTransport(client, patience),
                json,
                throttle,
                clock);
    }

    /** Empty if it is not there. */
    public <T> Optional<T> get(String path, Class<T> type) {
        try {
            return Optional.of(read(send("GET", path, DirectTransport.JSON, NOTHING), type));
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) == Failure.ABSENT) {
                return Optional.empty();
            }
            throw problem;
        }
    }

    /** Sends this; what the server made of it. */
    public <T> T ask(String method, String path, Object object, Class<T> type) {
        return read(send(method, path, DirectTransport.JSON, bytes(object)), type);
    }

    /** Sends this, and reads nothing but whether it went well. */
    public void tell(String method, String path, Object object) {
        send(method, path, DirectTransport.JSON, bytes(object));
    }

    /** @param mediaType which kind of patch it is */
    public void patch(String path, String mediaType, Object patch) {
        send("PATCH", path, mediaType, bytes(patch));
    }

    private byte[] send(String method, String path, String mediaType, byte[] body) {
        var request = new Request(method, path, mediaType, body);
        var answer = direct.map(way -> answer(way, request))
                // Credentials that have run out are renewed on the other way.
                .filter(known -> known.code() != UNAUTHORIZED)
                .orElseGet(() -> answer(thorough, request));
        answer.date().ifPresent(clock);
        answer.retryAfter().ifPresent(throttle::heard);
        if (answer.code() >= 200 && answer.code() < 300) {
            return answer.body();
        }
        throw refused(request, answer);
    }

    private static Answer answer(Transport transport, Request request) {
        try {
            return transport.send(request);
        } catch (IOException broken) {
            throw new KubernetesClientException("%s %s: no answer".formatted(request.method(), request.path()), broken);
        }
    }

    private KubernetesClientException refused(Request request, Answer answer) {
        Status status;
        try {
            status = json.readValue(answer.body(), Status.class);
        } catch (IOException noStatus) {
            status = new Status();
        }
        if (status.getMessage() == null) {
            status.setMessage("the API server answered with " + answer.code());
        }
        return new KubernetesClientException(
                "%s %s: %s".formatted(request.method(), request.path(), status.getMessage()), answer.code(), status);
    }

    private byte[] bytes(Object object) {
        try {
            return json.writeValueAsBytes(object);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException(unwritable);
        }
    }

    private <T> T read(byte[] body, Class<T> type) {
        try {
            return json.readValue(body, type);
        } catch (IOException unreadable) {
            throw new KubernetesClientException("the answer is no " + type.getSimpleName(), unreadable);
        }
    }

    @Override
    public void close() {
        direct.ifPresent(DirectTransport::close);
    }
}
