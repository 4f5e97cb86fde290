package dev.berth.kube.courier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.courier.Transport.Request;
import dev.berth.kube.proto.Protobuf;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Throttle;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Single requests: a path, an object, one try, no more; and watches. Failures are fabric8's, so that what judges and
 * repeats them need not know which way a request went.
 */
public final class Courier implements AutoCloseable {
    public static final String JSON = "application/json";
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private static final int UNAUTHORIZED = 401;
    private static final byte[] NOTHING = {};

    private final Optional<DirectTransport> direct;
    private final Transport thorough;
    private final ObjectMapper json;
    private final Throttle throttle;
    private final Consumer<String> clock;
    private final Duration patience;

    private Courier(
            Optional<DirectTransport> direct,
            Transport thorough,
            ObjectMapper json,
            Throttle throttle,
            Consumer<String> clock,
            Duration patience) {
        this.direct = direct;
        this.thorough = thorough;
        this.json = json;
        this.throttle = throttle;
        this.clock = clock;
        this.patience = patience;
    }

    /**
     * @param json as fabric8's client has set it up
     * @param throttle hears the {@code Retry-After} of answers
     * @param clock hears the {@code Date} of those that do not go through the client
     */
    public static Courier of(
            Config config,
            Supplier<KubernetesClient> client,
            ObjectMapper json,
            Throttle throttle,
            Consumer<String> clock,
            Duration connect,
            Duration patience) {
        return new Courier(
                DirectTransport.of(config, connect),
                new ClientTransport(DirectTransport.base(config), client),
                json,
                throttle,
                clock,
                patience);
    }

    /** Empty if it is not there. */
    public <T> Optional<T> get(String path, Class<T> type) {
        try {
            return Optional.of(read(send("GET", path, JSON, NOTHING), type));
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) == Failure.ABSENT) {
                return Optional.empty();
            }
            throw problem;
        }
    }

    /** Sends this; what the server made of it. */
    public <T> T ask(String method, String path, Object object, Class<T> type) {
        return read(send(method, path, JSON, bytes(object)), type);
    }

    /** Sends this, and reads nothing but whether it went well. */
    public void tell(String method, String path, Object object) {
        send(method, path, JSON, bytes(object));
    }

    /** Removes it; well, too, if it is gone already. */
    public void delete(String path) {
        try {
            send("DELETE", path, JSON, NOTHING);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) != Failure.ABSENT) {
                throw problem;
            }
        }
    }

    /** @param mediaType which kind of patch it is */
    public void patch(String path, String mediaType, Object patch) {
        send("PATCH", path, mediaType, bytes(patch));
    }

    /**
     * The answer to a question, read as it comes: for lists, which may be long.
     *
     * @param accept what the answer may be; what it is, it says itself
     */
    public Flow read(String path, String accept) {
        return open(new Request("GET", path, accept, JSON, NOTHING), patience, clock);
    }

    /**
     * The same for a watch, which ends when the server wants it. Its head may come long after it was written, with its
     * first event or when a proxy lets go of it, so that nobody sets a clock by it.
     *
     * @param accept what the answer may be; what it is, it says itself
     * @param silence how long nothing may come before the connection counts as broken
     */
    public Flow watch(String path, String accept, Duration silence) {
        return open(new Request("GET", path, accept, JSON, NOTHING), silence, _ -> {});
    }

    private byte[] send(String method, String path, String mediaType, byte[] body) {
        var request = new Request(method, path, JSON, mediaType, body);
        try (var flow = open(request, patience, clock)) {
            return flow.body().readAllBytes();
        } catch (IOException broken) {
            throw unanswered(request, broken);
        }
    }

    private Flow open(Request request, Duration silence, Consumer<String> dates) {
        var flow = direct.map(way -> open(way, request, silence))
                // Credentials that have run out are renewed on the other way.
                .filter(Courier::authorized)
                .orElseGet(() -> open(thorough, request, silence));
        flow.date().ifPresent(dates);
        flow.retryAfter().ifPresent(throttle::heard);
        if (flow.code() >= 200 && flow.code() < 300) {
            return flow;
        }
        try (flow) {
            throw refused(request, flow);
        }
    }

    private static Flow open(Transport transport, Request request, Duration silence) {
        try {
            return transport.open(request, silence);
        } catch (IOException broken) {
            throw unanswered(request, broken);
        }
    }

    private static boolean authorized(Flow flow) {
        if (flow.code() == UNAUTHORIZED) {
            flow.close();
            return false;
        }
        return true;
    }

    private static KubernetesClientException unanswered(Request request, IOException broken) {
        return new KubernetesClientException("%s %s: no answer".formatted(request.method(), request.path()), broken);
    }

    private KubernetesClientException refused(Request request, Flow flow) {
        Status status;
        try {
            var body = flow.body().readAllBytes();
            status = Protobuf.is(flow.contentType()) ? Protobuf.status(body) : json.readValue(body, Status.class);
        } catch (IOException noStatus) {
            status = new Status();
        }
        if (status.getMessage() == null) {
            status.setMessage("the API server answered with " + flow.code());
        }
        return new KubernetesClientException(
                "%s %s: %s".formatted(request.method(), request.path(), status.getMessage()), flow.code(), status);
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
