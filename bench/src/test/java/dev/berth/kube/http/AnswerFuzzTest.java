package dev.berth.kube.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;

/** Any bytes from a server: an answer, whose body is no longer than what came, or none. */
class AnswerFuzzTest {
    private static final byte[] QUESTION = "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII);

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isReadOrRefused(byte[] bytes) {
        try {
            var socket = new Saying(bytes);
            var connection = new Connection(socket, socket);
            var head = connection.ask(QUESTION, Duration.ofSeconds(1));
            assertThat(head.code()).isBetween(200, 999);
            var body = head.body(connection);
            assertThat(body.readAllBytes()).hasSizeLessThanOrEqualTo(bytes.length);
            assertThat(body.over()).isTrue();
        } catch (IOException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }

    /** Has said all that it will ever say. */
    private static final class Saying extends Socket {
        private final InputStream in;

        Saying(byte[] bytes) {
            this.in = new ByteArrayInputStream(bytes);
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void setSoTimeout(int millis) {}
    }
}
