package dev.berth.kube.proto;

import static dev.berth.kube.proto.MessageWriter.enveloped;
import static dev.berth.kube.proto.MessageWriter.join;
import static dev.berth.kube.proto.MessageWriter.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Kubernetes itself has written in both encodings (e2e/controlplane/messages), with every field filled and with
 * none, is the same to us.
 */
class KindTest {
    private static final Cluster CLUSTER = Cluster.connect(new ConnectionSettings.At(URI.create("http://127.0.0.1:1")));
    private static final ObjectMapper JSON = CLUSTER.watched();

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @Test
    void podsAreTheSameAsFromJson() throws IOException {
        same(Pod.class, "pods", PodList.class);
    }

    @Test
    void nodesAreTheSameAsFromJson() throws IOException {
        same(Node.class, "nodes", NodeList.class);
    }

    @Test
    void leasesAreTheSameAsFromJson() throws IOException {
        same(Lease.class, "leases", LeaseList.class);
    }

    @Test
    void aStatusIsTheSameAsFromJson() throws IOException {
        assertThat(Protobuf.status(file("status.pb"))).isEqualTo(JSON.readValue(file("status.json"), Status.class));
    }

    @Test
    void aWatchSaysTheSameAsAList() throws IOException {
        watched(Node.class, "nodes");
        watched(Lease.class, "leases");
    }

    @Test
    void aListThatIsCutIsMalformedWhereverItIsCut() throws IOException {
        var whole = file("nodes.pb");
        // The last bytes are two empty fields of the envelope.
        int envelope = 4;

        for (int length = 0; length < whole.length - envelope; length++) {
            var cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> list(Node.class, cut, new ArrayList<>()))
                    .as("%d bytes", length)
                    .isInstanceOf(MalformedMessageException.class)
                    .message()
                    .isNotBlank();
        }
    }

    @Test
    void whateverByteIsWrongNothingElseThanThatIsSaid() throws IOException {
        var whole = file("nodes.pb");

        for (int at = 0; at < whole.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                var wrong = whole.clone();
                wrong[at] ^= (byte) (1 << bit);
                try {
                    list(Node.class, wrong, new ArrayList<>());
                } catch (MalformedMessageException expected) {
                    assertThat(expected).message().isNotBlank();
                }
            }
        }
    }

    @Test
    void whatIsNoListIsMalformed() {
        assertThatThrownBy(() -> list(Pod.class, "{\"items\": []}".getBytes(StandardCharsets.UTF_8), new ArrayList<>()))
                .hasMessageContaining("does not begin as");
        assertThatThrownBy(() -> list(Pod.class, new byte[] {'k', '8', 's', 0}, new ArrayList<>()))
                .hasMessageContaining("no message in the envelope");
        assertThatThrownBy(() -> list(Pod.class, new byte[] {'k', '8', 's', 0, 2 << 3, 1}, new ArrayList<>()))
                .hasMessageContaining("no message in the envelope");
        assertThatThrownBy(() ->
                        list(Pod.class, enveloped("PodList", message().with(2, pod -> pod)), new ArrayList<>()))
                .hasMessageContaining("a Pod without metadata");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void aListThatIsShorterThanItSaysIsNoEmptyOne(long length) {
        var bytes = join(
                new byte[] {'k', '8', 's', 0},
                message().tag(2, 2).varint(length).bytes());

        assertThatThrownBy(() -> list(Pod.class, bytes, new ArrayList<>()))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void aListMayGrowFieldsThatWeDoNotKnow() throws IOException {
        var pods = new ArrayList<Pod>();

        list(
                Pod.class,
                enveloped(
                        "PodList",
                        message()
                                .number(7, 300)
                                .fixed32(8)
                                .fixed64(9)
                                .text(10, "new")
                                .with(2, pod -> pod.with(1, metadata -> metadata.text(1, "anna")))),
                pods);

        assertThat(pods)
                .singleElement()
                .satisfies(pod -> assertThat(pod.getMetadata().getName()).isEqualTo("anna"));
    }

    @Test
    void aTimeThatNoCalendarHasIsMalformed() {
        assertThatThrownBy(() -> created(Long.MAX_VALUE, 0)).hasMessageContaining("no time is");
        assertThatThrownBy(() -> created(0, -1)).hasMessageContaining("no time is");
        assertThatThrownBy(() -> created(0, 1_000_000_000)).hasMessageContaining("no time is");
    }

    @Test
    void aTimeIsSaidInWholeSeconds() throws IOException {
        assertThat(created(1_700_000_000, 999_999_999)).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(created(0, 0)).isEqualTo("1970-01-01T00:00:00Z");
    }

    @Test
    void aQuantityThatIsNoneIsMalformed() {
        var node = message()
                .with(1, metadata -> metadata.text(1, "n"))
                .with(3, status -> status.with(1, entry -> entry.text(1, "cpu").with(2, none -> none.text(1, ""))));

        assertThatThrownBy(() ->
                        list(Node.class, enveloped("NodeList", message().bytes(2, node.bytes())), new ArrayList<>()))
                .hasMessage("no quantity is ''");
    }

    @Test
    void onlyKindsThatAreHeardOfAllTheTimeAreReadThisWay() {
        assertThat(Kind.of(Pod.class)).isPresent();
        assertThat(Kind.of(ConfigMap.class)).isEmpty();
    }

    private static <T extends HasMetadata> void watched(Class<T> type, String name) throws IOException {
        var kind = Kind.of(type).orElseThrow();
        var listed = new ArrayList<T>();
        list(type, file(name + ".pb"), listed);
        var frames = new Frames(new ByteArrayInputStream(file(name + ".watch")));

        assertThat(frames.next()).isTrue();
        assertThat(frames.message().type()).isEqualTo("ADDED");
        assertThat(kind.object(frames.message())).isEqualTo(listed.getFirst());
        assertThat(frames.next()).isTrue();
        assertThat(frames.message().type()).isEqualTo("BOOKMARK");
        assertThat(kind.object(frames.message()).getMetadata().getResourceVersion())
                .isEqualTo("4712");
        assertThat(frames.next()).isTrue();
        assertThat(frames.message().type()).isEqualTo("ERROR");
        assertThat(frames.message().status().getCode()).isEqualTo(410);
        assertThat(frames.next()).isFalse();
    }

    private static String created(long seconds, int nanos) throws IOException {
        var pods = new ArrayList<Pod>();
        var pod = message()
                .with(
                        1,
                        metadata ->
                                metadata.with(8, time -> time.number(1, seconds).number(2, nanos)));
        list(Pod.class, enveloped("PodList", message().bytes(2, pod.bytes())), pods);
        return pods.getFirst().getMetadata().getCreationTimestamp();
    }

    private static <T extends HasMetadata> void same(
            Class<T> type, String name, Class<? extends KubernetesResourceList<T>> lists) throws IOException {
        var expected = JSON.readValue(file(name + ".json"), lists);
        var read = new ArrayList<T>();

        var end = list(type, file(name + ".pb"), read);

        assertThat(end).isEqualTo(expected.getMetadata());
        assertThat(read).hasSize(2).isEqualTo(expected.getItems());
        // What equals does not look at, such as how a quantity is written.
        assertThat(JSON.writeValueAsString(read)).isEqualTo(JSON.writeValueAsString(expected.getItems()));
    }

    private static <T extends HasMetadata> ListMeta list(Class<T> type, byte[] bytes, List<T> each) throws IOException {
        return Kind.of(type).orElseThrow().list(new ByteArrayInputStream(bytes), each::add);
    }

    private static byte[] file(String name) throws IOException {
        try (var in = KindTest.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }
}
