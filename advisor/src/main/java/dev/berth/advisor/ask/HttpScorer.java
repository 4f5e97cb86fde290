package dev.berth.advisor.ask;

import dev.berth.advisor.ask.NoAdviceException.Cause;
import dev.berth.kube.http.Answer;
import dev.berth.kube.http.KeptConnections;
import dev.berth.kube.http.Question;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocketFactory;

/** The agent elsewhere: one try a question, over connections that are kept. */
public final class HttpScorer implements Scorer {
    private static final int LONGEST_REPLY = 1 << 20;
    private static final int LONGEST_DETAIL = 200;
    private static final int OK = 200;
    private static final int KEPT_CONNECTIONS = 64;
    private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(2);
    /** No socket waits for longer, whoever has stopped waiting for its answer. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final URI score;
    private final URI health;
    private final ExecutorService questions = Executors.newVirtualThreadPerTaskExecutor();
    private final KeptConnections connections;

    public HttpScorer(URI agent) {
        var address = new AgentAddress(agent);
        score = address.at("/v1/score");
        health = address.at("/healthz");
        connections = new KeptConnections(agent, security(agent), LONGEST_WAIT, KEPT_CONNECTIONS);
    }

    private static Optional<KeptConnections.Security> security(URI agent) {
        return "https".equals(agent.getScheme())
                ? Optional.of(new KeptConnections.Security((SSLSocketFactory) SSLSocketFactory.getDefault(), true))
                : Optional.empty();
    }

    /** What came back. */
    private static final class Reply {
        private final int status;
        private final byte[] body;

        Reply(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }
    }

    @Override
    public Recommendation score(Job job, Duration within) throws NoAdviceException {
        var answer = send("POST", score, job.json(), within);
        if (answer.status != OK) {
            throw new NoAdviceException(
                    Cause.REFUSED, "%s answered %d: %s".formatted(score, answer.status, detail(answer.body)));
        }
        try {
            return Recommendation.read(answer.body);
        } catch (NoAdviceException invalid) {
            throw new NoAdviceException(
                    Cause.INVALID, "%s answered what is no advice: %s".formatted(score, invalid.words()));
        }
    }

    /** On a thread of its own, because a body that trickles in must end, too: interrupting it closes its connection. */
    private Reply send(String method, URI uri, byte[] body, Duration within) throws NoAdviceException {
        try {
            var answer = questions.submit(() -> ask(method, uri, body));
            try {
                return answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                answer.cancel(true);
            }
        } catch (TimeoutException slow) {
            throw new NoAdviceException(
                    Cause.TIMEOUT, "%s did not answer within %d ms".formatted(uri, within.toMillis()));
        } catch (ExecutionException failed) {
            var cause = root(failed);
            throw new NoAdviceException(
                    cause instanceof SocketTimeoutException ? Cause.TIMEOUT : Cause.UNREACHABLE,
                    "%s cannot be reached: %s"
                            .formatted(
                                    uri,
                                    cause.getMessage() == null
                                            ? cause.getClass().getSimpleName()
                                            : cause.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoAdviceException(Cause.UNREACHABLE, "the webhook is stopping");
        } catch (RejectedExecutionException closed) {
            throw new NoAdviceException(Cause.UNREACHABLE, "the webhook is stopping");
        }
    }

    private Reply ask(String method, URI uri, byte[] body) throws IOException {
        var question = Question.of(method, uri.getRawPath()).body("application/json", body);
        try (var answer = connections.ask(question, LONGEST_WAIT)) {
            return read(answer);
        }
    }

    private static Reply read(Answer answer) throws IOException {
        byte[] body = answer.body().readNBytes(LONGEST_REPLY + 1);
        if (body.length > LONGEST_REPLY) {
            throw new IOException("its answer has more than %d bytes".formatted(LONGEST_REPLY));
        }
        return new Reply(answer.code(), body);
    }

    private static String detail(byte[] body) {
        var text = new String(body, StandardCharsets.UTF_8).strip();
        return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL) + "…";
    }

    /** What happened to a connection comes wrapped. */
    private static Throwable root(Throwable problem) {
        var root = problem;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Override
    public boolean connected() {
        try {
            return send("GET", health, new byte[0], HEALTH_PATIENCE).status == OK;
        } catch (NoAdviceException away) {
            return false;
        }
    }

    @Override
    public void close() {
        questions.shutdownNow();
        connections.close();
    }
}
