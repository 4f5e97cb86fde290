package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.door.ExtenderDoor;
import dev.berth.cli.door.Place;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.board.GpuLabels;
import dev.berth.extender.quota.QuotaSettings;
import dev.berth.extender.wire.VolcanoReply;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Metrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The extender: answers kube-scheduler and Volcano, keeps decisions and the quota. */
@Command(
        name = "extender",
        description = "Give fractional GPU pods their node and devices: a scheduler extender with quota by GPU model.",
        preprocessor = GoFlags.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth extender --kubeconfig F",
            "  berth extender --address=0.0.0.0:3456 --v=4 --kubeconfig F --logtostderr=true",
            "  berth extender --kubeconfig F --policy fgd --volcano 1.9"
        })
final class ExtenderCommand implements Callable<Integer> {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private LedgerFlags ledger = new LedgerFlags();

    @Mixin
    private KlogFlags log = new KlogFlags();

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1:3456",
            description = "The address it will listen; port 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--pprofAddress",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1:3457",
            description =
                    "The address for debug: threads, heap, flight recordings, metrics; empty for none (default: ${DEFAULT-VALUE}).")
    private String debugAddress = "";

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "The address of the Kubernetes API server. Overrides any value in kubeconfig.")
    private String master = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Where the quota is: QuotaConfigMapName, QuotaConfigMapNamespace, GPUModelLabel, GPUPoolLabel as JSON or YAML.")
    private @Nullable Path config;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "pack",
            description =
                    "Which of several good nodes and devices is taken: pack, spread, fgd or another policy of Berth's (default: ${DEFAULT-VALUE}).")
    private String policy = "pack";

    @Option(
            names = "--assume-ttl",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long a decision is held that does not lead to a binding (default: ${DEFAULT-VALUE}).")
    private String assumeTtl = "30s";

    @Option(
            names = "--volcano",
            paramLabel = "1.7|1.8|1.10",
            defaultValue = "1.10",
            description =
                    "In which shape Volcano wants its answers: 1.7 and before, 1.8 and 1.9, 1.10 and later (default: ${DEFAULT-VALUE}).")
    private String volcano = "1.10";

    @Option(
            names = "--version",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            paramLabel = "true|raw",
            description = "Print version information and quit.")
    private String version = "false";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        if (!version.equals("false")) {
            showVersion();
            return 0;
        }
        log.apply();
        var settings = settings();
        var listen = HostAndPort.parse(spec, "--address", address);
        var flags = web.settings(listen.host(), new Transport.PlainHttp());
        var debug = debugAddress.isEmpty()
                ? Optional.<HostAndPort>empty()
                : Optional.of(HostAndPort.parse(spec, "--pprofAddress", debugAddress));
        var cluster = Cluster.connect(connection());
        var clock = cluster.clock();
        var tls = flags.openTls(List.of(flags.bindAddress(), "localhost", Instance.name("extender")), clock);
        var place = new Place(flags.bindAddress(), listen.port(), tls);
        var door = ExtenderDoor.open(
                cluster,
                new ExtenderDoor.Settings(
                        settings,
                        ledger,
                        Instance.name("extender"),
                        "berth-" + Version.current(),
                        place,
                        debug.map(where -> Place.plain(where.host(), where.port()))),
                new Metrics(),
                clock);
        var out = spec.commandLine().getOut();
        out.println("extender %s://%s:%d/scheduler"
                .formatted(place.scheme(), HostAndPort.inAddress(place.address()), door.port()));
        debug.ifPresent(where -> out.println(
                "debug    http://%s:%d/debug/pprof/".formatted(HostAndPort.inAddress(where.host()), door.debugPort())));
        out.flush();
        Lifetime.untilStopped(spec.commandLine().getErr(), List.of(cluster, door));
        return 0;
    }

    private void showVersion() {
        var out = spec.commandLine().getOut();
        switch (version) {
            case "true" -> out.println("GPU-Quota-Admission " + Version.current());
            case "raw" ->
                out.println("version.Info{GitVersion:\"%s\", Program:\"berth\", JavaVersion:\"%s\"}"
                        .formatted(Version.current(), Runtime.version()));
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--version is true or raw, not '%s'".formatted(version));
        }
        out.flush();
    }

    private ExtenderSettings settings() {
        try {
            return new ExtenderSettings(
                    policy,
                    GoDuration.parse(spec, "--assume-ttl", assumeTtl),
                    config == null ? QuotaSettings.STANDARD : quota(config),
                    VolcanoReply.of(volcano));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** YAML takes JSON too. */
    private static QuotaSettings quota(Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    "--config: %s %s".formatted(file, Files.exists(file) ? "cannot be read" : "does not exist"));
        }
        try {
            var tree = new ObjectMapper(new YAMLFactory()).readTree(file.toFile());
            return new QuotaSettings(
                    tree.path("QuotaConfigMapNamespace").asText(QuotaSettings.STANDARD.namespace()),
                    tree.path("QuotaConfigMapName").asText(QuotaSettings.STANDARD.name()),
                    new GpuLabels(mandatory(file, tree, "GPUModelLabel"), mandatory(file, tree, "GPUPoolLabel")));
        } catch (IOException malformed) {
            throw new IllegalArgumentException("--config: %s is neither JSON nor YAML".formatted(file), malformed);
        }
    }

    private static String mandatory(Path file, JsonNode tree, String key) {
        var value = tree.path(key).asText();
        if (value.isBlank()) {
            throw new IllegalArgumentException("--config: %s has no %s".formatted(file, key));
        }
        return value;
    }

    private ConnectionSettings connection() {
        if (master.isEmpty()) {
            return kube.settings();
        }
        var url = master.contains("://") ? master : "http://" + master;
        try {
            var uri = URI.create(url);
            if (uri.getHost() != null) {
                return kube.given()
                        ? new ConnectionSettings.Elsewhere(kube.settings(), uri)
                        : new ConnectionSettings.At(uri);
            }
        } catch (IllegalArgumentException malformed) {
            // Said below.
        }
        throw new ParameterException(spec.commandLine(), "--master is not an address: '%s'".formatted(master));
    }
}
