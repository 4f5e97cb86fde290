package dev.berth.apiserver.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.MemoryApi;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MirrorTest {
    private final Mirror mirror = new Mirror(Slim.WHOLE);

    private static ObjectNode pod(int version) {
        return MemoryApi.yaml("""
                metadata:
                  name: p
                  namespace: team
                  uid: u
                  resourceVersion: "%d"
                  ownerReferences: [{uid: owner, controller: true}]
                """.formatted(version));
    }

    @Test
    void anOlderVersionThanOursIsIgnored() {
        mirror.changed(pod(2));
        mirror.changed(pod(1));
        assertThat(mirror.get(new Key("team", "p"))
                        .orElseThrow()
                        .at("/metadata/resourceVersion")
                        .asText())
                .isEqualTo("2");
    }

    @Test
    void theDeletionOfANamesakeIsIgnored() {
        mirror.changed(pod(2));
        ObjectNode other = pod(1);
        ((ObjectNode) other.get("metadata")).put("uid", "former");
        mirror.deleted(other);
        assertThat(mirror.controlledBy("owner")).hasSize(1);
    }

    /** The watch may have told of the deletion before the writer gets to say what it wrote. */
    @Test
    void aLateWriteDoesNotBringBackWhatIsGone() {
        mirror.changed(pod(1));
        mirror.deleted(pod(3));
        mirror.changed(pod(2));
        assertThat(mirror.all()).isEmpty();
    }

    /** A controller that misses what it owns creates it again. */
    @Test
    void whatIsOwnedIsNeverMissingWhileItChanges() throws InterruptedException {
        mirror.changed(pod(1));
        var stop = new AtomicBoolean();
        var missing = new AtomicBoolean();
        Thread reader = Thread.ofPlatform().start(() -> {
            while (!stop.get()) if (mirror.controlledBy("owner").isEmpty()) missing.set(true);
        });
        for (int version = 2; version < 5_000; version++) mirror.changed(pod(version));
        stop.set(true);
        reader.join();
        assertThat(missing).isFalse();
    }
}
