package dev.berth.advisor.agent;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.advisor.store.StoreException;
import dev.berth.advisor.wire.InvalidBodyException;
import dev.berth.advisor.wire.ObserveRequest;
import dev.berth.advisor.wire.ScoreReply;
import dev.berth.advisor.wire.ScoreRequest;
import dev.berth.web.ErrorBody;
import dev.berth.web.ErrorReplies;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The agent's paths. */
public final class AgentRoutes {
    private static final Status UNPROCESSABLE = Status.create(422, "Unprocessable Entity");
    private static final String JSON_TYPE = "application/json";
    private static final Pattern JSON_TYPES = Pattern.compile("(?i)application/([^;]*\\+)?json\\s*(;.*)?");
    private static final byte[] OK = bytes("{\"status\":\"ok\"}");
    private static final List<String> GET =
            List.of("/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/beliefs", "/");
    private static final List<String> POST = List.of("/v1/score", "/v1/observe");
    private static final byte[] OPENAPI = document();
    /** More than a person looks at. */
    private static final int MOST_BELIEFS = 1000;

    /** What went wrong before a route could say so, in FastAPI's words. */
    public static final ErrorBody ERRORS = (code, message) -> detail(
            switch (code) {
                case 404 -> "Not Found";
                case 405 -> "Method Not Allowed";
                case 500 -> "Internal server error";
                default -> message;
            });

    private final Agent agent;

    public AgentRoutes(Agent agent) {
        this.agent = agent;
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.post("/v1/score", this::score);
        routes.post("/v1/observe", this::observe);
        routes.get("/v1/beliefs", this::beliefs);
        routes.get("/healthz", (_, response) -> json(response, Status.OK_200, bytes("{\"status\":\"healthy\"}")));
        routes.get("/readyz", this::ready);
        routes.get("/", this::about);
        routes.get("/openapi.json", (_, response) -> json(response, Status.OK_200, OPENAPI));
        GET.forEach(path -> addRest(routes, path, "GET"));
        POST.forEach(path -> addRest(routes, path, "POST"));
    }

    /** What FastAPI does beside a path: other methods are refused, and a slash too many is taken away. */
    private static void addRest(HttpRouting.Builder routes, String path, String method) {
        routes.any(path, ErrorReplies.onlyMethods(method));
        if (path.equals("/")) return;
        routes.any(path + "/", (request, response) -> {
            var query = request.query().rawValue();
            response.header(HeaderNames.LOCATION, query.isEmpty() ? path : path + "?" + query);
            response.status(Status.TEMPORARY_REDIRECT_307).send();
        });
    }

    private void score(ServerRequest request, ServerResponse response) {
        try {
            var asked = ScoreRequest.read(body(request), isJson(request));
            var advice = agent.score(asked);
            if (advice.isPresent()) {
                json(response, Status.OK_200, ScoreReply.of(advice.get()));
            } else {
                detail(
                        response,
                        Status.BAD_REQUEST_400,
                        "No candidate GPU type has the %s GiB of memory that the job needs"
                                .formatted(asked.memoryGib()));
            }
        } catch (InvalidBodyException invalid) {
            json(response, UNPROCESSABLE, invalid.body());
        } catch (ScoreRequest.BadValueException bad) {
            detail(response, Status.BAD_REQUEST_400, bad.problem());
        }
    }

    private void observe(ServerRequest request, ServerResponse response) {
        try {
            ObserveRequest.read(body(request), isJson(request)).ifPresent(agent::observe);
            json(response, Status.OK_200, OK);
        } catch (InvalidBodyException invalid) {
            json(response, UNPROCESSABLE, invalid.body());
        } catch (StoreException unwritable) {
            detail(response, Status.SERVICE_UNAVAILABLE_503, "The observation could not be kept; send it again");
        }
    }

    private void ready(ServerRequest request, ServerResponse response) {
        if (agent.problem().isEmpty()) {
            json(response, Status.OK_200, bytes("{\"status\":\"ready\"}"));
        } else {
            detail(response, Status.SERVICE_UNAVAILABLE_503, "Service not ready");
        }
    }

    private void beliefs(ServerRequest request, ServerResponse response) {
        var reply = JsonNodeFactory.instance
                .objectNode()
                .put("model", agent.settings().model());
        var list = reply.putArray("beliefs");
        agent.beliefs().stream()
                .limit(MOST_BELIEFS)
                .forEach(belief -> list.addObject()
                        .put("job_type", belief.jobType())
                        .put("gpu_type", belief.gpuType())
                        .put("runs", belief.runs())
                        .put("distribution", belief.logarithmic() ? "lognormal" : "normal")
                        .put("centre", belief.centre())
                        .put("spread", belief.spread())
                        .put("low", belief.low())
                        .put("high", belief.high()));
        json(response, Status.OK_200, bytes(reply.toString()));
    }

    private void about(ServerRequest request, ServerResponse response) {
        var settings = agent.settings();
        var about = JsonNodeFactory.instance
                .objectNode()
                .put("service", "information-theoretic-gpu-scheduler")
                .put("version", "1.0.0");
        about.putObject("config")
                .put("lambda_uncertainty", settings.ema().lambda())
                .put("beta_exploration", settings.ema().beta())
                .put("gamma_interference", settings.ema().gamma())
                .put("exploration_cap", settings.ema().explorationCap())
                .put("enable_interference", settings.ema().interference())
                .put("enable_sinkhorn", settings.sinkhorn());
        json(response, Status.OK_200, bytes(about.toString()));
    }

    /** As FastAPI sees it: what does not say what it is, is JSON. */
    private static boolean isJson(ServerRequest request) {
        if (!request.headers().contains(HeaderNames.CONTENT_TYPE)) return true;
        var type = request.headers().get(HeaderNames.CONTENT_TYPE).get();
        return type.equals(JSON_TYPE) || JSON_TYPES.matcher(type).matches();
    }

    private static byte[] document() {
        try (var in = requireNonNull(AgentRoutes.class.getResourceAsStream("openapi.json"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] body(ServerRequest request) {
        return request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
    }

    private static void detail(ServerResponse response, Status status, String text) {
        json(response, status, detail(text));
    }

    /** {@code {"detail":"…"}}, as every refusal of the agent looks. */
    public static byte[] detail(String text) {
        return bytes(JsonNodeFactory.instance.objectNode().put("detail", text).toString());
    }

    private static void json(ServerResponse response, Status status, byte[] body) {
        response.status(status);
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
