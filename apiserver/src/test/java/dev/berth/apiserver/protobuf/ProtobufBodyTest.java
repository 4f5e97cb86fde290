package dev.berth.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.protobuf.ProtobufBody.UnreadableException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProtobufBodyTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Writes protobuf by hand, as a Go client would. */
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message text(int number, String value) {
            return bytes(number, value.getBytes(StandardCharsets.UTF_8));
        }

        Message message(int number, Message value) {
            return bytes(number, value.out.toByteArray());
        }

        Message number(int number, long value) {
            varint((long) number << 3);
            varint(value);
            return this;
        }

        private Message bytes(int number, byte[] value) {
            varint(((long) number << 3) | Wire.BYTES);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) ((rest & 0x7f) | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }
    }

    private static Message entry(String key, Message value) {
        return new Message().text(1, key).message(2, value);
    }

    private static byte[] body(String apiVersion, String kind, Message raw) {
        var unknown = new Message()
                .message(1, new Message().text(1, apiVersion).text(2, kind))
                .message(2, raw);
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'k', '8', 's', 0});
        out.writeBytes(unknown.out.toByteArray());
        return out.toByteArray();
    }

    private static void assertDecodes(byte[] body, String json) throws Exception {
        // By way of text: a tree that was parsed has other number types than one that was built.
        assertThat(MAPPER.readTree(ProtobufBody.decode(body).toString())).isEqualTo(MAPPER.readTree(json));
    }

    private static Message pod() {
        var metadata = new Message()
                .text(1, "p")
                .text(2, "")
                .message(8, new Message())
                .message(11, new Message().text(1, "app").text(2, "web"));
        var limits = entry("nvidia.com/gpu", new Message().text(1, "2"));
        var container =
                new Message().text(1, "c").text(2, "nginx").text(5, "").message(8, new Message().message(1, limits));
        return new Message()
                .message(1, metadata)
                .message(2, new Message().message(2, container).number(4, 0));
    }

    @Test
    void aPodReadsAsTheJsonThatTheSameClientWouldHaveSent() throws Exception {
        assertDecodes(body("v1", "Pod", pod()), """
                {"kind":"Pod","apiVersion":"v1",
                 "metadata":{"name":"p","labels":{"app":"web"}},
                 "spec":{"terminationGracePeriodSeconds":0,
                         "containers":[{"name":"c","image":"nginx","resources":{"limits":{"nvidia.com/gpu":"2"}}}]}}""");
    }

    @Test
    void bytesBecomeBase64AndPortsKeepTheirType() throws Exception {
        var data = new Message().text(1, "key").text(2, "value");
        assertDecodes(
                body(
                        "v1",
                        "Secret",
                        new Message().message(1, new Message().text(1, "s")).message(2, data)),
                """
                {"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"data":{"key":"dmFsdWU="}}""");
        var named = new Message().number(1, 1).number(2, 0).text(3, "http");
        var numbered = new Message().number(1, 0).number(2, 8080).text(3, "");
        var ports = new Message()
                .message(1, new Message().number(3, 80).message(4, named))
                .message(1, new Message().number(3, 81).message(4, numbered));
        assertDecodes(body("v1", "Service", new Message().message(2, ports)), """
                {"kind":"Service","apiVersion":"v1",
                 "spec":{"ports":[{"port":80,"targetPort":"http"},{"port":81,"targetPort":8080}]}}""");
    }

    @Test
    void timesAreWrittenAsKubernetesWritesThem() throws Exception {
        var time = new Message().number(1, 1_700_000_000L).number(2, 123_456_000);
        assertDecodes(
                body("coordination.k8s.io/v1", "Lease", new Message().message(2, new Message().message(3, time))), """
                {"kind":"Lease","apiVersion":"coordination.k8s.io/v1",
                 "spec":{"acquireTime":"2023-11-14T22:13:20.123456Z"}}""");
    }

    @Test
    void whatIsNotProtobufIsRefusedWithAReason() {
        assertThatThrownBy(() -> ProtobufBody.decode("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("does not appear to be a protobuf message");
        assertThatThrownBy(() -> ProtobufBody.decode(body("example.com/v1", "Toy", new Message())))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("\"Toy\"");
    }

    @Test
    void aBodyCutAnywhereIsRefusedOrShorterButNeverBreaksTheReader() {
        byte[] whole = body("v1", "Pod", pod());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                assertThat(ProtobufBody.decode(cut)).isNotNull();
            } catch (UnreadableException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }
}
