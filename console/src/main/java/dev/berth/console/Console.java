package dev.berth.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.explain.Explainer;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.explain.ReportJson;
import dev.berth.web.page.PageFiles;
import dev.berth.web.page.RowStream;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** The page and what it asks for; hangs into any server, under any path. */
public final class Console implements AutoCloseable {
    private static final List<String> FILES =
            List.of("console.css", "console.js", "pages.js", "rows.js", "plot.js", "console.svg");
    private static final PageFiles PAGE = new PageFiles(Console.class);

    private final Lookout lookout;
    private final Explainer explainer;
    private final Beliefs beliefs;
    private final Guard guard;
    private final Board board;
    private final RowStream stream;
    private final PodEvents events;

    private Console(Lookout lookout, Beliefs beliefs, Guard guard, InstantSource clock) {
        this.lookout = lookout;
        this.explainer = new Explainer(lookout);
        this.beliefs = beliefs;
        this.guard = guard;
        this.board = new Board(lookout, clock);
        this.stream = new RowStream("rows", board.changes(), board::rows);
        this.events = new PodEvents(lookout.cluster());
    }

    /** Begins to look at the cluster; the lookout stays its owner's. */
    public static Console start(Lookout lookout, Beliefs beliefs, Guard guard, InstantSource clock) {
        return new Console(lookout, beliefs, guard, clock);
    }

    /** @param prefix where it hangs, such as {@code /console}; empty for the root */
    public void routes(HttpRouting.Builder routes, String prefix) {
        if (!prefix.isEmpty()) {
            // All addresses in the page are relative to its folder.
            routes.get(prefix, (_, response) -> {
                response.status(Status.FOUND_302);
                response.header(HeaderNames.LOCATION, prefix + "/");
                response.send();
            });
        }
        files(routes, prefix);
        routes.get(prefix + "/api/stream", guard.around(stream::answer));
        routes.get(prefix + "/api/rows", guard.around(json(_ -> stream.all())));
        routes.get(prefix + "/api/trends", guard.around(json(_ -> board.trends().json())));
        routes.get(prefix + "/api/beliefs", guard.around(json(_ -> beliefs.now())));
        routes.get(prefix + "/api/pod", guard.around(json(this::pod)));
        routes.get(prefix + "/api/device", guard.around(json(this::device)));
    }

    /** The cluster in a few numbers. */
    public void measure(PrometheusRegistry registry) {
        Figures.register(registry, board::figures);
    }

    /** The page alone, which then asks whoever serves the rest. */
    public static void files(HttpRouting.Builder routes, String prefix) {
        PAGE.serve(routes, prefix + "/", "index.html");
        FILES.forEach(name -> PAGE.serve(routes, prefix + "/" + name, name));
    }

    private static Handler json(Function<ServerRequest, JsonNode> answer) {
        return (request, response) -> send(response, answer.apply(request));
    }

    private static void send(ServerResponse response, JsonNode json) {
        PageFiles.headers(response, "application/json");
        response.send(json.toString());
    }

    private JsonNode pod(ServerRequest request) {
        var namespace = wanted(request, "namespace");
        var name = wanted(request, "name");
        var pod = lookout.pods()
                .find(namespace, name)
                .orElseThrow(() -> new HttpException(
                        "there is no pod %s/%s".formatted(namespace, name), Status.NOT_FOUND_404, true));
        var json = ReportJson.of(explainer.pod(pod, lookout.picture()));
        json.set("events", events.of(namespace, name));
        return json;
    }

    private JsonNode device(ServerRequest request) {
        return JsonNodeFactory.instance
                .objectNode()
                .set("history", board.holders().json(wanted(request, "node"), wanted(request, "id")));
    }

    private static String wanted(ServerRequest request, String name) {
        if (!request.query().contains(name)) {
            throw new HttpException("the query lacks " + name, Status.BAD_REQUEST_400, true);
        }
        return request.query().get(name);
    }

    /** Ends the streams, so that a server that stops need not wait for them. */
    @Override
    public void close() {
        stream.close();
        board.close();
    }
}
