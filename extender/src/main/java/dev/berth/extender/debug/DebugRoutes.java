package dev.berth.extender.debug;

import dev.berth.web.health.Metrics;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A thread dump, a heap histogram, a flight recording of some seconds, and the metrics. */
public final class DebugRoutes {
    private static final String INDEX = """
            /debug/threads          what every thread is doing
            /debug/heap             objects in the heap by class
            /debug/jfr?seconds=30   a flight recording of so many seconds (1 to 300), for jfr or JDK Mission Control
            /metrics                for Prometheus
            """;
    private static final int DEFAULT_SECONDS = 30;
    private static final int MOST_SECONDS = 300;

    private final Metrics metrics;
    private final Semaphore recording = new Semaphore(1);

    public DebugRoutes(Metrics metrics) {
        this.metrics = metrics;
    }

    public void addTo(HttpRouting.Builder routes) {
        for (var path : new String[] {"/debug", "/debug/", "/debug/pprof", "/debug/pprof/"}) {
            routes.get(path, (_, response) -> plain(response, INDEX));
        }
        routes.get("/debug/threads", (_, response) -> plain(response, diagnosed("threadPrint")));
        routes.get("/debug/pprof/goroutine", (_, response) -> plain(response, diagnosed("threadPrint")));
        routes.get("/debug/heap", (_, response) -> plain(response, diagnosed("gcClassHistogram")));
        routes.get("/debug/pprof/heap", (_, response) -> plain(response, diagnosed("gcClassHistogram")));
        routes.get("/debug/jfr", this::record);
        metrics.addTo(routes);
    }

    private static String diagnosed(String command) throws JMException {
        var server = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("com.sun.management:type=DiagnosticCommand");
        return String.valueOf(
                server.invoke(name, command, new Object[] {new String[0]}, new String[] {String[].class.getName()}));
    }

    private void record(ServerRequest request, ServerResponse response)
            throws IOException, ParseException, InterruptedException {
        int seconds = seconds(request);
        if (seconds < 1 || seconds > MOST_SECONDS) {
            response.status(Status.BAD_REQUEST_400);
            plain(response, "seconds is a number from 1 to " + MOST_SECONDS + "\n");
            return;
        }
        if (!recording.tryAcquire()) {
            response.status(Status.CONFLICT_409);
            plain(response, "a recording is under way; ask again when it has ended\n");
            return;
        }
        try {
            var flight = flight(seconds);
            response.headers().set(HeaderNames.CONTENT_TYPE, "application/octet-stream");
            response.headers().set(HeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"berth.jfr\"");
            response.send(flight);
        } finally {
            recording.release();
        }
    }

    private static byte[] flight(int seconds) throws IOException, ParseException, InterruptedException {
        var file = Files.createTempFile("berth", ".jfr");
        try (var flight = new Recording(Configuration.getConfiguration("default"))) {
            flight.start();
            Thread.sleep(Duration.ofSeconds(seconds));
            flight.stop();
            flight.dump(file);
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static int seconds(ServerRequest request) {
        if (!request.query().contains("seconds")) {
            return DEFAULT_SECONDS;
        }
        try {
            return Integer.parseInt(request.query().get("seconds"));
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    private static void plain(ServerResponse response, String text) {
        response.headers().set(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.send(text.getBytes(StandardCharsets.UTF_8));
    }
}
