package dev.berth.kube.http;

import static dev.berth.kube.http.ScriptedServer.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions to a server that answers with the bytes that it is told. */
class KeptConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final AtomicLong now = new AtomicLong();

    @Test
    void aQuestionIsWrittenAsHttpHasIt() throws IOException {
        try (var server = ScriptedServer.saying(OK);
                var connections = to(server.address())) {
            ask(
                    connections,
                    Question.of("POST", "/path?a=b")
                            .header("Accept", "text/plain")
                            .body("a/b", bytes("body")));

            assertThat(server.requests())
                    .containsExactly(
                            "POST /path?a=b HTTP/1.1|Accept: text/plain|Content-Type: a/b|Host: %s|Content-Length: 4|body"
                                    .formatted(server.address().getAuthority()));
        }
    }

    @Test
    void theNextQuestionGoesOverTheSameConnection() throws IOException {
        try (var server = ScriptedServer.saying(OK);
                var connections = to(server.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(connections)).isEqualTo("ok");
            }

            assertThat(server.requests()).hasSize(3);
            assertThat(server.connections()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfirst, last",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n6;x=y\r\n, last\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: CHUNKED\r\n\r\n0b\r\nfirst, last\r\n0\r\nTrailer: x\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:11\r\n\r\nfirst, last"
            })
    void aBodyEndsWhereHttpSaysSo(String answer) throws IOException {
        try (var server = ScriptedServer.saying(answer);
                var connections = to(server.address())) {
            assertThat(get(connections)).isEqualTo("first, last");
            assertThat(get(connections)).isEqualTo("first, last");

            assertThat(server.connections()).hasSize(1);
        }
    }

    @Test
    void aBodyWithoutALengthEndsWithItsConnection() throws IOException {
        try (var server = new ScriptedServer((_, socket) -> {
                    say(socket, "HTTP/1.1 200 OK\r\n\r\nfirst, last");
                    socket.close();
                });
                var connections = to(server.address())) {
            assertThat(get(connections)).isEqualTo("first, last");
            assertThat(get(connections)).isEqualTo("first, last");

            assertThat(server.connections()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void someAnswersHaveNoBody(int code) throws IOException {
        try (var server = ScriptedServer.saying("HTTP/1.1 %d Nothing\r\n\r\n".formatted(code));
                var connections = to(server.address())) {
            for (int i = 0; i < 2; i++) {
                try (var answer = connections.ask(Question.of("GET", "/"), PATIENCE)) {
                    assertThat(answer.code()).isEqualTo(code);
                    assertThat(answer.body().readAllBytes()).isEmpty();
                }
            }

            assertThat(server.connections()).hasSize(1);
        }
    }

    @Test
    void ofTheHeadersThoseAreToldThatMatter() throws IOException {
        try (var server = ScriptedServer.saying(
                        "HTTP/1.1 429 Slow down\r\nRetry-After: 7\r\nDATE:  Thu, 19 Nov 2026 06:00:00 GMT \r\ncontent-type: a/b;c=d\r\nX: y\r\nContent-Length: 0\r\n\r\n");
                var connections = to(server.address());
                var answer = connections.ask(Question.of("GET", "/"), PATIENCE)) {
            assertThat(answer.code()).isEqualTo(429);
            assertThat(answer.retryAfter()).contains("7");
            assertThat(answer.date()).contains("Thu, 19 Nov 2026 06:00:00 GMT");
            assertThat(answer.contentType()).contains("a/b;c=d");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfi",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n",
                "HTTP/1.1 200 OK\r\nContent-",
            })
    void anAnswerThatBreaksOffIsNotTakenForAWholeOne(String start) throws IOException {
        try (var server = new ScriptedServer((_, socket) -> {
                    say(socket, start);
                    socket.close();
                });
                var connections = to(server.address())) {
            assertThatThrownBy(() -> get(connections)).isInstanceOf(EOFException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n\r\n",
                "HTTP/1.1 none\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nlonger\r\n0\r\n\r\n",
            })
    void whatIsNotHttpIsNamed(String answer) throws IOException {
        try (var server = ScriptedServer.saying(answer);
                var connections = to(server.address())) {
            assertThatThrownBy(() -> get(connections)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void aHeadWithoutAnEndTakesNoMoreThanItMay() throws IOException {
        try (var server = ScriptedServer.saying("HTTP/1.1 200 " + "x".repeat(100_000));
                var connections = to(server.address())) {
            assertThatThrownBy(() -> get(connections)).isInstanceOf(ProtocolException.class);
        }
        try (var server = ScriptedServer.saying("HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(1_000));
                var connections = to(server.address())) {
            assertThatThrownBy(() -> get(connections)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void aServerThatSaysNothingIsNotWaitedForForever() throws IOException {
        try (var server = new ScriptedServer((_, _) -> {});
                var connections = to(server.address())) {
            assertThatThrownBy(() -> connections.ask(Question.of("GET", "/"), Duration.ofMillis(50)))
                    .isInstanceOf(SocketTimeoutException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void aServerThatIsAwayWasAskedNothing() throws IOException {
        URI address;
        try (var server = ScriptedServer.saying(OK)) {
            address = server.address();
        }
        try (var connections = to(address)) {
            assertThatThrownBy(() -> get(connections)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void whereTheServerHasEndedWhatRestedAnotherConnectionIsMade() throws IOException {
        try (var server = ScriptedServer.saying(OK);
                var connections = to(server.address())) {
            get(connections);
            server.connections().getFirst().close();
            now.addAndGet(TimeUnit.SECONDS.toNanos(1));

            ask(connections, Question.of("POST", "/").body("a/b", bytes("x")));

            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void whatHasRestedForLongIsNotUsedAgain() throws IOException {
        try (var server = ScriptedServer.saying(OK);
                var connections = to(server.address())) {
            get(connections);
            now.addAndGet(TimeUnit.MINUTES.toNanos(1));
            get(connections);

            assertThat(server.connections()).hasSize(2);
        }
    }

    @Test
    void aQuestionThatChangesNothingIsAskedAgainWhereAKeptConnectionEndsUnderIt() throws IOException {
        try (var server = endingTheSecond();
                var connections = to(server.address())) {
            get(connections);

            assertThat(get(connections)).isEqualTo("ok");
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void whetherAChangeWasDoneIsLeftOpenThere() throws IOException {
        try (var server = endingTheSecond();
                var connections = to(server.address())) {
            get(connections);

            assertThatIOException()
                    .isThrownBy(() -> ask(connections, Question.of("PUT", "/").body("a/b", bytes("x"))));
            assertThat(server.requests()).hasSize(2);
        }
    }

    private static ScriptedServer endingTheSecond() {
        return new ScriptedServer((number, socket) -> {
            if (number == 2) {
                socket.close();
            } else {
                say(socket, OK);
            }
        });
    }

    @Test
    void anAnswerThatIsClosedBeforeItsEndEndsItsConnectionAndWhoeverReadsFromIt() throws Exception {
        var gone = new CountDownLatch(1);
        try (var server = new ScriptedServer((_, socket) -> {
                    say(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
                    if (socket.getInputStream().read() < 0) {
                        gone.countDown();
                    }
                });
                var connections = to(server.address())) {
            var answer = connections.ask(Question.of("GET", "/"), PATIENCE);
            assertThat(answer.body().readNBytes(5)).asString().isEqualTo("first");
            var reading = CompletableFuture.supplyAsync(() -> {
                try {
                    return answer.body().read();
                } catch (IOException ended) {
                    return -2;
                }
            });

            answer.close();

            assertThat(reading.get(10, TimeUnit.SECONDS)).isEqualTo(-2);
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void asManyAreKeptAsAreWanted() throws IOException {
        try (var server = ScriptedServer.saying(OK);
                var connections = new KeptConnections(server.address(), Optional.empty(), PATIENCE, 1, now::get)) {
            var first = connections.ask(Question.of("GET", "/"), PATIENCE);
            var second = connections.ask(Question.of("GET", "/"), PATIENCE);
            for (var answer : new Answer[] {first, second}) {
                answer.body().readAllBytes();
                answer.close();
            }
            get(connections);
            try (var third = connections.ask(Question.of("GET", "/"), PATIENCE)) {
                get(connections);
                assertThat(third.code()).isEqualTo(200);
            }

            assertThat(server.connections()).hasSize(3);
        }
    }

    @Test
    void nothingIsSentThatWouldBeAnotherRequest() {
        assertThatIllegalArgumentException().isThrownBy(() -> Question.of("GET", "/a b"));
        assertThatIllegalArgumentException().isThrownBy(() -> Question.of("GET", "/a\r\nX: y"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Question.of("GET", "/").header("Authorization", "Bearer secret\r\nX: y"))
                .withMessageNotContaining("secret");
    }

    private KeptConnections to(URI address) {
        return new KeptConnections(address, Optional.empty(), PATIENCE, 8, now::get);
    }

    private static String get(KeptConnections connections) throws IOException {
        return ask(connections, Question.of("GET", "/"));
    }

    private static String ask(KeptConnections connections, Question question) throws IOException {
        try (var answer = connections.ask(question, PATIENCE)) {
            return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
