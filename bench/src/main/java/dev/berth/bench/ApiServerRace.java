package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The embedded API server against kube-apiserver with etcd: the same pods through the same client, one server after the
 * other, in one run. Arguments: the directory of the real binaries, or {@code none}; the number of pods; options for
 * the JVM of the embedded server.
 */
public final class ApiServerRace {
    private static final Duration START = Duration.ofMinutes(2);

    private ApiServerRace() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int pods = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
        var race = new Race(8, 10, pods, Math.min(4_000, pods));
        Path folder = Files.createTempDirectory("race");
        printEnvironment(race);
        List<Measurement> results = new ArrayList<>();
        if (arguments.length > 0 && !arguments[0].equals("none")) {
            System.out.println("kube-apiserver and etcd, over TLS with a token:");
            try (Target real = Servers.real(Path.of(arguments[0]), folder)) {
                real.awaitReady(START);
                results.add(race.run(real));
            }
        }
        List<String> options = arguments.length > 2 ? List.of(arguments).subList(2, arguments.length) : List.of();
        System.out.println("the embedded server, over TLS with a token:");
        try (Target secure = Servers.embedded("berth, TLS and token", "https", options, folder)) {
            secure.awaitReady(START);
            results.add(race.run(secure));
        }
        System.out.println("the embedded server, over plain HTTP:");
        try (Target plain = Servers.embedded("berth, plain HTTP", "http", options, folder)) {
            plain.awaitReady(START);
            results.add(race.run(plain));
        }
        print(results);
    }

    private static void printEnvironment(Race race) throws IOException {
        Optional<String> processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.replaceFirst(".*?: ", ""))
                .findFirst();
        System.out.printf(
                "%s, %d cores, load %s, JDK %s%n",
                processor.orElse("unknown processor"),
                Runtime.getRuntime().availableProcessors(),
                Files.readString(Path.of("/proc/loadavg")).split(" ")[0],
                Runtime.version());
        System.out.printf(
                "%s, pods of %d bytes, %d connections, %d watchers; %d pods to warm up and weigh, %d timed, %d watched%n",
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                PodBody.of("pod-1").length,
                race.connections(),
                race.watchers(),
                race.pods(),
                race.pods(),
                race.watched());
    }

    private static void print(List<Measurement> results) {
        System.out.printf(
                "%n%-32s %10s %8s %8s %13s %13s %15s %7s%n",
                "", "creates/s", "p50 ms", "p99 ms", "CPU µs/create", "deliveries/s", "CPU µs/delivery", "RSS MB");
        for (Measurement each : results) {
            System.out.printf(
                    "%-32s %10.0f %8.2f %8.2f %13.0f %13.0f %15.1f %7.0f%n",
                    each.name(),
                    each.createsPerSecond(),
                    each.milliseconds(50),
                    each.milliseconds(99),
                    each.microsecondsPerCreate(),
                    each.deliveriesPerSecond(),
                    each.microsecondsPerDelivery(),
                    each.megabytes());
        }
        Measurement base = results.getFirst();
        for (Measurement each : results.subList(1, results.size())) {
            System.out.printf(
                    "%-32s %9.1fx %7.1fx %7.1fx %12.1fx %12.1fx %14.1fx %6.1fx%n",
                    "better by, " + each.name(),
                    each.createsPerSecond() / base.createsPerSecond(),
                    base.milliseconds(50) / each.milliseconds(50),
                    base.milliseconds(99) / each.milliseconds(99),
                    base.microsecondsPerCreate() / each.microsecondsPerCreate(),
                    each.deliveriesPerSecond() / base.deliveriesPerSecond(),
                    base.microsecondsPerDelivery() / each.microsecondsPerDelivery(),
                    base.megabytes() / each.megabytes());
        }
    }
}
