package dev.berth.apiserver.rest;

import static dev.berth.apiserver.api.MemoryApi.eventually;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The verbs for the server's own parts. */
class InProcessApiTest {
    private static final Api.Resource CONFIG_MAPS = new Api.Resource("", "v1", "configmaps");

    private final TestServer server = TestServer.shared();

    /** One that cannot say that it is synced, the first time. */
    private static final class Stumbling implements Api.Listener {
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean stumbled = new AtomicBoolean();

        @Override
        public void changed(ObjectNode object) {
            seen.add(object.at("/metadata/namespace").asText());
        }

        @Override
        public void deleted(ObjectNode object) {}

        @Override
        public void synced() {
            if (!stumbled.getAndSet(true)) throw new IllegalStateException("the journal has ended");
        }
    }

    @Test
    void aWatchThatFailsStartsOver() {
        var listener = new Stumbling();
        String namespace = server.newNamespace();
        try (var _ = server.server().api().watch(CONFIG_MAPS, listener)) {
            eventually(listener.stumbled::get);

            server.post("/api/v1/namespaces/" + namespace + "/configmaps", "{'metadata':{'name':'late'}}");

            eventually(() -> listener.seen.contains(namespace));
        }
    }
}
