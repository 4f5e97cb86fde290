package dev.berth.kube.courier;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way through fabric8's client, which knows every proxy and every kind of credential, and how to renew them. */
final class ClientTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTransport.class);

    private final String master;
    private final Supplier<KubernetesClient> client;

    ClientTransport(String master, Supplier<KubernetesClient> client) {
        this.master = master;
        this.client = client;
    }

    /** The client tells nobody how long a connection has been silent: this one ends after that time in any case. */
    @Override
    public Flow open(Request request, Duration silence) throws IOException {
        var response = head(request, silence);
        var body = Objects.requireNonNullElse(response.body(), InputStream.nullInputStream());
        var limit = Thread.ofVirtual().name("flow-limit").start(() -> endAfter(silence, body));
        return new Flow(
                response.code(),
                Optional.ofNullable(response.header("Content-Type")),
                Optional.empty(),
                Optional.ofNullable(response.header("Retry-After")),
                body,
                () -> {
                    limit.interrupt();
                    end(body);
                });
    }

    private static void endAfter(Duration time, InputStream body) {
        try {
            Thread.sleep(time);
            end(body);
        } catch (InterruptedException ended) {
            // Somebody else has seen to it.
        }
    }

    private static void end(InputStream body) {
        try {
            body.close();
        } catch (IOException broken) {
            LOG.debug("the connection was broken already", broken);
        }
    }

    private HttpResponse<InputStream> head(Request request, Duration patience) throws IOException {
        var http = client.get().getHttpClient();
        var builder = http.newHttpRequestBuilder()
                .uri(URI.create(master + request.path()))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .header("Accept", request.accept());
        if (request.body().length > 0) {
            builder.method(
                    request.method(),
                    request.mediaType(),
                    new ByteArrayInputStream(request.body()),
                    request.body().length);
        } else if (!request.method().equals("GET")) {
            builder.method(request.method(), request.mediaType(), "");
        }
        var answer = http.sendAsync(builder.build(), InputStream.class);
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            answer.cancel(true);
            throw new IOException("no answer within " + patience, slow);
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(interrupted);
        }
    }
}
