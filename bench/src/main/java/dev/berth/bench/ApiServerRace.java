package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The embedded API server against kube-apiserver with etcd: the same pods through the same client, one server after the
 * other, in one run. Arguments: the directory of the real binaries, or {@code none}; the launcher of the embedded
 * server; the number of pods to weigh and of each timed round; options for the JVM of the embedded server.
 */
public final class ApiServerRace {
    private static final Duration START = Duration.ofMinutes(2);

    private ApiServerRace() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path launcher = Path.of(arguments[1]);
        int pods = Integer.parseInt(arguments[2]);
        String options = String.join(" ", List.of(arguments).subList(3, arguments.length));
        var race = new Race(8, 10, pods, 20, 3, Math.max(1, pods / 2), Math.max(1, pods / 3));
        Path folder = Files.createTempDirectory("race");
        printEnvironment(race);
        List<Measurement> results = new ArrayList<>();
        if (!arguments[0].equals("none")) {
            System.out.println("kube-apiserver and etcd, over TLS with a token:");
            try (Target real = Servers.real(Path.of(arguments[0]), folder)) {
                real.awaitReady(START);
                results.add(race.run(real));
            }
        }
        System.out.println("the embedded server, over TLS with a token:");
        try (Target secure = Servers.embedded("berth, TLS and token", "https", launcher, options, folder)) {
            secure.awaitReady(START);
            results.add(race.run(secure));
        }
        System.out.println("the embedded server, over plain HTTP:");
        try (Target plain = Servers.embedded("berth, plain HTTP", "http", launcher, options, folder)) {
            plain.awaitReady(START);
            results.add(race.run(plain));
        }
        print(results);
    }

    private static void printEnvironment(Race race) throws IOException {
        System.out.println(Machine.words());
        System.out.printf(
                "pods of %d bytes, %d connections, %d watchers; %d pods to weigh; rounds of %d creates to warm up until CPU time falls no more and compilers are done, at most %d; then %d rounds of %d creates and %d of %d watched creates; medians%n",
                PodBody.of("pod-1").length,
                race.connections(),
                race.watchers(),
                race.weighed(),
                race.created(),
                race.warmUps(),
                race.rounds(),
                race.created(),
                race.rounds(),
                race.watched());
    }

    private static void tell(Measurement base, Measurement each) {
        // Without the real server the first is the embedded one itself.
        if (!base.name().equals("kube-apiserver")) return;
        Result.of(
                        "API server: creates, " + each.name(),
                        "a second",
                        each.creates().perSecond())
                .beside(base.name(), base.creates().perSecond())
                .timesAtLeast(10)
                .tell();
        Result.of(
                        "API server: watch events, " + each.name(),
                        "a second",
                        each.deliveries().perSecond())
                .beside(base.name(), base.deliveries().perSecond())
                .timesAtLeast(10)
                .tell();
        Result.of(
                        "API server: watch events that are there already, " + each.name(),
                        "a second",
                        each.replays().perSecond())
                .beside(base.name(), base.replays().perSecond())
                .timesAtLeast(10)
                .tell();
    }

    private static void print(List<Measurement> results) {
        System.out.printf(
                "%n%-32s %10s %8s %8s %13s %13s %15s %10s %13s %7s%n",
                "",
                "creates/s",
                "p50 ms",
                "p99 ms",
                "CPU µs/create",
                "deliveries/s",
                "CPU µs/delivery",
                "replayed/s",
                "CPU µs/replay",
                "RSS MB");
        for (Measurement each : results) {
            System.out.printf(
                    "%-32s %10.0f %8.2f %8.2f %13.0f %13.0f %15.1f %10.0f %13.1f %7.0f%n",
                    each.name(),
                    each.creates().perSecond(),
                    each.creates().milliseconds(50),
                    each.creates().milliseconds(99),
                    each.creates().serverMicros(),
                    each.deliveries().perSecond(),
                    each.deliveries().serverMicros(),
                    each.replays().perSecond(),
                    each.replays().serverMicros(),
                    each.megabytes());
        }
        Measurement base = results.getFirst();
        for (Measurement each : results.subList(1, results.size())) {
            tell(base, each);
            System.out.printf(
                    "%-32s %9.1fx %7.1fx %7.1fx %12.1fx %12.1fx %14.1fx %9.1fx %12.1fx %6.1fx%n",
                    "better by, " + each.name(),
                    each.creates().perSecond() / base.creates().perSecond(),
                    base.creates().milliseconds(50) / each.creates().milliseconds(50),
                    base.creates().milliseconds(99) / each.creates().milliseconds(99),
                    base.creates().serverMicros() / each.creates().serverMicros(),
                    each.deliveries().perSecond() / base.deliveries().perSecond(),
                    base.deliveries().serverMicros() / each.deliveries().serverMicros(),
                    each.replays().perSecond() / base.replays().perSecond(),
                    base.replays().serverMicros() / each.replays().serverMicros(),
                    base.megabytes() / each.megabytes());
        }
    }
}
