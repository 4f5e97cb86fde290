package dev.berth.bench;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.apiserver.admission.User;
import dev.berth.web.tls.SelfSigned;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The embedded server alone in a process, in memory. Arguments: {@code http} or {@code https}, and the port. */
public final class EmbeddedServer {
    private EmbeddedServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        ApiServerSettings settings = ApiServerSettings.defaults().withPort(Integer.parseInt(arguments[1]));
        if (arguments[0].equals("https")) {
            SelfSigned tls = SelfSigned.create(List.of("127.0.0.1"), InstantSource.system());
            settings = settings.withTls(tls, tls.authorityPem())
                    .withTokens(Map.of(Servers.TOKEN, new User("admin", "admin", List.of("system:masters"))));
        }
        try (var server = ApiServer.start(settings)) {
            System.out.println(server.url());
            Thread.currentThread().join();
        }
    }
}
