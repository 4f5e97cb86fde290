package dev.berth.kube.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Whatever comes in place of a list, a watch or a status is read, or refused in words. */
class KindFuzzTest {
    private static final Kind<Pod> PODS = Kind.of(Pod.class).orElseThrow();
    private static final Kind<Node> NODES = Kind.of(Node.class).orElseThrow();
    private static final Kind<Lease> LEASES = Kind.of(Lease.class).orElseThrow();

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isReadOrRefused(byte[] bytes) throws IOException {
        list(PODS, bytes);
        list(NODES, bytes);
        list(LEASES, bytes);
        watch(bytes);
        try {
            assertThat(Protobuf.status(bytes)).isNotNull();
        } catch (MalformedMessageException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    private static <T extends HasMetadata> void list(Kind<T> kind, byte[] bytes) throws IOException {
        try {
            kind.list(
                    new ByteArrayInputStream(bytes),
                    object -> assertThat(object.getMetadata()).isNotNull());
        } catch (MalformedMessageException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    /** An event that is malformed does not keep the next one from being read. */
    private static void watch(byte[] bytes) throws IOException {
        var frames = new Frames(new ByteArrayInputStream(bytes));
        try {
            while (frames.next()) {
                event(frames, PODS);
                event(frames, NODES);
                event(frames, LEASES);
            }
        } catch (MalformedMessageException refused) {
            assertThat(refused.getMessage()).contains("a piece of");
        }
    }

    private static <T extends HasMetadata> void event(Frames frames, Kind<T> kind) {
        try {
            var message = frames.message();
            if (message.type().equals("ERROR")) {
                assertThat(message.status()).isNotNull();
            } else {
                assertThat(kind.object(message).getMetadata().getResourceVersion())
                        .isNotEmpty();
            }
        } catch (MalformedMessageException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
