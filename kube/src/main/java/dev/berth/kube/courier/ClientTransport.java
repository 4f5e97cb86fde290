package dev.berth.kube.courier;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The way through fabric8's client, which knows every proxy and every kind of credential, and how to renew them. */
final class ClientTransport implements Transport {
    private final KubernetesClient client;
    private final String master;
    private final Duration patience;

    ClientTransport(KubernetesClient client, Duration patience) {
        this.client = client;
        this.master = DirectTransport.base(client.getConfiguration());
        this.patience = patience;
    }

    @Override
    public Answer send(Request request) throws IOException {
        var http = client.getHttpClient();
        var builder = http.newHttpRequestBuilder()
                .uri(URI.create(master + request.path()))
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .header("Accept", DirectTransport.JSON);
        if (request.body().length > 0) {
            builder.method(
                    request.method(),
                    request.mediaType(),
                    new ByteArrayInputStream(request.body()),
                    request.body().length);
        } else if (!request.method().equals("GET")) {
            builder.method(request.method(), request.mediaType(), "");
        }
        var answer = http.sendAsync(builder.build(), byte[].class);
        try {
            var response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(
                    response.code(),
                    Optional.empty(),
                    Optional.ofNullable(response.header("Retry-After")),
                    Objects.requireNonNullElse(response.body(), new byte[0]));
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
