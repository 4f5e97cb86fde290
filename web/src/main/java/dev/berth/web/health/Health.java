package dev.berth.web.health;

import dev.berth.web.ErrorReplies;
import dev.berth.web.HttpServer;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz} as Kubernetes' own servers have them: named checks,
 * {@code ?verbose} to see them all, {@code ?exclude=name} to leave one out, 503 with the names of those that fail.
 */
public final class Health {
    private static final Logger log = LoggerFactory.getLogger(Health.class);

    /** Looks at state that is at hand: quick, and without a network. */
    @FunctionalInterface
    public interface Check {
        /** Empty when all is well, else what is wrong. */
        Optional<String> problem();
    }

    private record Named(String name, Check check, boolean alsoForLife) {}

    private final List<Named> checks = new CopyOnWriteArrayList<>(List.of(new Named("ping", Optional::empty, true)));

    /** Without it the process had better be restarted. */
    public Health live(String name, Check check) {
        checks.add(new Named(name, check, true));
        return this;
    }

    /** Without it the process should not be asked anything for now. */
    public Health ready(String name, Check check) {
        checks.add(new Named(name, check, false));
        return this;
    }

    /** Not ready any more from the moment at which the server begins to stop. */
    public Health stopsWith(HttpServer server) {
        return ready("shutdown", () -> server.draining() ? Optional.of("the server is stopping") : Optional.empty());
    }

    public boolean isReady() {
        return failing(false, List.of()).isEmpty();
    }

    /** Each check by name, and whether it passes. */
    Map<String, Boolean> checks() {
        var states = new LinkedHashMap<String, Boolean>();
        checks.forEach(named -> states.put(named.name(), problem(named).isEmpty()));
        return states;
    }

    /** Waits until nothing stands in the way any more; false if that takes longer. */
    public boolean awaitReady(Duration within) throws InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        while (!isReady()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    /** For a cache: whether all that it is to hold is known. */
    public static Optional<String> waiting(boolean synced, String what) {
        return synced ? Optional.empty() : Optional.of("the " + what + " are not all known yet");
    }

    public void addTo(HttpRouting.Builder routes) {
        for (var path : List.of("/healthz", "/livez", "/readyz")) {
            routes.get(path, answer(path)).head(path, answer(path)).any(path, ErrorReplies.onlyMethods("GET", "HEAD"));
        }
    }

    private Handler answer(String path) {
        boolean lifeOnly = !path.equals("/readyz");
        return (request, response) -> {
            var excluded = excluded(request);
            var failing = failing(lifeOnly, excluded);
            if (request.query().contains("verbose")) {
                response.status(failing.isEmpty() ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503);
                response.send(verbose(path, lifeOnly, excluded, failing));
            } else if (failing.isEmpty()) {
                response.send("ok");
            } else {
                throw new HttpException(
                        path.substring(1) + " failed: "
                                + failing.entrySet().stream()
                                        .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                                        .collect(Collectors.joining(", ")),
                        Status.SERVICE_UNAVAILABLE_503,
                        true);
            }
        };
    }

    private static List<String> excluded(ServerRequest request) {
        return request.query().contains("exclude") ? request.query().all("exclude") : List.of();
    }

    private List<Named> considered(boolean lifeOnly, List<String> excluded) {
        return checks.stream()
                .filter(named -> named.alsoForLife() || !lifeOnly)
                .filter(named -> !excluded.contains(named.name()))
                .toList();
    }

    private Map<String, String> failing(boolean lifeOnly, List<String> excluded) {
        var failing = new LinkedHashMap<String, String>();
        considered(lifeOnly, excluded)
                .forEach(named -> problem(named).ifPresent(problem -> failing.put(named.name(), problem)));
        return failing;
    }

    private static Optional<String> problem(Named named) {
        try {
            return named.check().problem();
        } catch (RuntimeException e) {
            log.warn("check={} could not be made", named.name(), e);
            return Optional.of("the check itself failed");
        }
    }

    private String verbose(String path, boolean lifeOnly, List<String> excluded, Map<String, String> failing) {
        var lines = new ArrayList<String>();
        for (var named : considered(lifeOnly, excluded)) {
            var problem = failing.get(named.name());
            lines.add(problem == null ? "[+]" + named.name() + " ok" : "[-]" + named.name() + " failed: " + problem);
        }
        lines.add(path.substring(1) + " check " + (failing.isEmpty() ? "passed" : "failed"));
        return String.join("\n", lines) + "\n";
    }
}
