package dev.berth.bench;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;

/** The embedded server alone in a process, in memory, on the port given. */
public final class EmbeddedServer {
    private EmbeddedServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (var server = ApiServer.start(ApiServerSettings.defaults().withPort(Integer.parseInt(arguments[0])))) {
            System.out.println(server.url());
            Thread.currentThread().join();
        }
    }
}
