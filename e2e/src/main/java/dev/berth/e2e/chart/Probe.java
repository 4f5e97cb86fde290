package dev.berth.e2e.chart;

import dev.berth.e2e.server.Credulous;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A readiness probe by HTTP; like a kubelet's it believes any certificate. */
final class Probe {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final HttpClient CLIENT = client();

    private Probe() {}

    static boolean passes(PodProcess process) {
        var probe = process.container().getReadinessProbe();
        if (probe == null) return true;
        var get = probe.getHttpGet();
        if (get == null) throw new IllegalStateException("this kubelet knows only httpGet probes");
        try {
            var request =
                    HttpRequest.newBuilder(url(process, get)).timeout(LIMIT).build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() < 400;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static URI url(PodProcess process, HTTPGetAction get) {
        var port = get.getPort();
        int number = port.getIntVal() != null
                ? port.getIntVal()
                : process.container().getPorts().stream()
                        .filter(each -> port.getStrVal().equals(each.getName()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no port is called " + port.getStrVal()))
                        .getContainerPort();
        var scheme = "HTTPS".equals(get.getScheme()) ? "https" : "http";
        return URI.create("%s://%s:%d%s".formatted(scheme, process.address(), number, get.getPath()));
    }

    private static HttpClient client() {
        return HttpClient.newBuilder()
                .sslContext(Credulous.context())
                .connectTimeout(LIMIT)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }
}
