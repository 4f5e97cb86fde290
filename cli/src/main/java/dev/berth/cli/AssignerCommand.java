package dev.berth.cli;

import dev.berth.assigner.AssignerSettings;
import dev.berth.assigner.reservation.Rhythm;
import dev.berth.assigner.wire.AssignmentPatch;
import dev.berth.assigner.wire.CdiFormat;
import dev.berth.assigner.wire.Pin;
import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.cli.door.AssignerDoor;
import dev.berth.cli.door.Place;
import dev.berth.cli.explain.ConsoleRoom;
import dev.berth.console.Beliefs;
import dev.berth.console.Guard;
import dev.berth.core.policy.FewestFree;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.web.WebFlags;
import dev.berth.web.WebSettings.Transport;
import dev.berth.web.health.Metrics;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The assigner: the webhook, the page, and the keeping of reservations. */
@Command(
        name = "assigner",
        description = "Reserve the right GPU for each pod: a mutating webhook, one Lease for each GPU.",
        mixinStandardHelpOptions = true,
        subcommands = LabelNodeCommand.class,
        defaultValueProvider = AssignerCommand.QuietLog.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth assigner --kubeconfig F --port 8443",
            "  berth assigner --tls-cert tls.crt --tls-key tls.key --pin affinity",
            "  berth assigner label-node --node n1 --device GPU-1=a100,vram.80g"
        })
final class AssignerCommand implements Callable<Integer> {
    private static final String EVERYWHERE = "0.0.0.0";

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private WebFlags web = new WebFlags();

    @Mixin
    private LedgerFlags ledger = new LedgerFlags();

    @Mixin
    private DoorCertificates certificates = new DoorCertificates();

    @Option(
            names = {"-t", "--access-token"},
            paramLabel = "FILE",
            description = "File with the token for Kubernetes; read again when it changes.")
    private @Nullable Path accessToken;

    @Option(
            names = {"-c", "--ca-certificate"},
            paramLabel = "FILE",
            description = "File with Kubernetes' CA certificate, in base64 or as PEM.")
    private @Nullable Path authority;

    @Option(
            names = {"-k", "--kubernetes-url"},
            paramLabel = "URL",
            description = "The API server; without it the kubeconfig or the in-cluster settings say.")
    private @Nullable URI kubernetes;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "443",
            description = "Port of the webhook; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = {"-U", "--ui-port"},
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port of the page, plain HTTP; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int uiPort;

    @Option(
            names = {"-C", "--claims-namespace"},
            paramLabel = "NAME",
            defaultValue = "gpu-claims",
            description = "Namespace of the Leases (default: ${DEFAULT-VALUE}).")
    private String claims = "gpu-claims";

    @Option(
            names = {"-i", "--renew-interval"},
            paramLabel = "MS",
            defaultValue = "60000",
            description = "Milliseconds between two looks at all reservations (default: ${DEFAULT-VALUE}).")
    private long interval;

    @Option(
            names = {"-j", "--renew-jitter"},
            paramLabel = "PART",
            defaultValue = "0.2",
            description = "By which part of it the interval varies (default: ${DEFAULT-VALUE}).")
    private double jitter;

    @Option(
            names = "-l",
            paramLabel = "LEVEL",
            description = "Short for --log-level; warn unless said (default: warn).")
    private LogFormat.@Nullable Level level;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "fewest-free",
            converter = PolicyName.class,
            description = "Which of several GPUs that would do are taken (default: ${DEFAULT-VALUE}).")
    private Policy policy = new FewestFree();

    @Option(
            names = "--pin",
            paramLabel = "nodeName|affinity",
            defaultValue = "nodeName",
            description =
                    "nodeName: binds the pod at once. affinity: the scheduler binds it (default: ${DEFAULT-VALUE}).")
    private String pin = "nodeName";

    @Option(
            names = "--cdi-format",
            paramLabel = "upstream|cdi",
            defaultValue = "upstream",
            description =
                    "upstream: nvidia.com/gpu=UUID=<uuid>. cdi: nvidia.com/gpu=<uuid>, as container runtimes take it (default: ${DEFAULT-VALUE}).")
    private CdiFormat format = CdiFormat.UPSTREAM;

    @Option(
            names = "--finalize-token",
            paramLabel = "FILE",
            description = "Ask callers of /finalize for the bearer token in this file.")
    private @Nullable Path finalizeToken;

    @Option(
            names = "--console",
            description =
                    "Serve the console at /console on the page's port. It reads what 'berth console' reads, and needs the rights to.")
    private boolean console;

    @Option(
            names = "--console-token-file",
            paramLabel = "FILE",
            description = "Readers of the console must show the token in this file as a bearer token.")
    private @Nullable Path consoleToken;

    @Option(
            names = "--console-proxy-user-header",
            paramLabel = "NAME",
            description = "Take requests to the console in which a proxy has named the reader in this header.")
    private @Nullable String consoleProxy;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        showLog();
        var settings = settings();
        var flags = web.settings(EVERYWHERE, new Transport.OwnCertificate());
        var guard = console
                ? Optional.of(ConsoleRoom.guard(
                        spec.commandLine(), flags.bindAddress(), "--console-", consoleToken, consoleProxy))
                : Optional.<Guard>empty();
        var cluster = Cluster.connect(connection());
        var clock = cluster.clock();
        var opened = certificates.open(flags, cluster, clock);
        var webhook = new Place(flags.bindAddress(), port, opened.tls());
        var metrics = new Metrics();
        var room = guard.map(kept -> ConsoleRoom.open(cluster, Beliefs.NONE, kept, metrics, clock));
        var door = AssignerDoor.open(
                cluster,
                new AssignerDoor.Settings(
                        settings, ledger, Instance.name("assigner"), webhook, Place.plain(flags.bindAddress(), uiPort)),
                routes -> room.ifPresent(open -> open.routes(routes, "/console")),
                metrics,
                clock);
        room.ifPresent(open -> door.onDrain(open::endStreams));
        announce(door, webhook);
        var parts = new ArrayList<AutoCloseable>(List.of(cluster, opened.keeper()));
        room.ifPresent(parts::add);
        parts.add(door);
        Lifetime.untilStopped(spec.commandLine().getErr(), parts);
        return 0;
    }

    /** As the document has it; {@link #showLog} keeps to it, and this makes the help say so. */
    static final class QuietLog implements IDefaultValueProvider {
        @Override
        public @Nullable String defaultValue(ArgSpec argument) {
            return argument instanceof OptionSpec option && option.longestName().equals("--log-level") ? "warn" : null;
        }
    }

    /** As the document has it, this command says only what is wrong unless it is asked for more. */
    private void showLog() {
        if (level != null) {
            LogFormat.show(level);
        } else if (!said(spec) && !said(spec.root())) {
            LogFormat.show(LogFormat.Level.WARN);
        }
    }

    private static boolean said(CommandSpec command) {
        return command.commandLine().getParseResult().hasMatchedOption("--log-level");
    }

    private void announce(AssignerDoor door, Place webhook) {
        var out = spec.commandLine().getOut();
        out.println("webhook  %s://%s:%d/mutate".formatted(webhook.scheme(), webhook.address(), door.webhookPort()));
        out.println("page     http://%s:%d/".formatted(webhook.address(), door.pagePort()));
        out.flush();
    }

    private AssignerSettings settings() {
        try {
            return new AssignerSettings(
                    claims,
                    policy,
                    new Rhythm(Duration.ofMillis(interval), jitter, RandomGenerator.getDefault()),
                    new AssignmentPatch(pin(), format),
                    AssignerSettings.DEFAULT.patience(),
                    readable("--finalize-token", finalizeToken));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private Pin pin() {
        return switch (pin.toLowerCase(Locale.ROOT)) {
            case "nodename" -> Pin.NODE_NAME;
            case "affinity" -> Pin.AFFINITY;
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--pin is nodeName or affinity, not '%s'".formatted(pin));
        };
    }

    private ConnectionSettings connection() {
        var token = readable("--access-token", accessToken);
        var trusted = readable("--ca-certificate", authority);
        var base = kubernetes == null ? kube.settings() : new ConnectionSettings.At(address(kubernetes));
        return token.isEmpty() && trusted.isEmpty() ? base : new ConnectionSettings.With(base, token, trusted);
    }

    private URI address(URI given) {
        if (given.getHost() == null || !List.of("http", "https").contains(String.valueOf(given.getScheme()))) {
            throw new ParameterException(
                    spec.commandLine(), "--kubernetes-url is not an http or https address: '%s'".formatted(given));
        }
        return given;
    }

    private Optional<Path> readable(String flag, @Nullable Path file) {
        if (file == null) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            var why = Files.exists(file)
                    ? (Files.isDirectory(file) ? "is a directory" : "cannot be read")
                    : "does not exist";
            throw new ParameterException(spec.commandLine(), "%s: %s %s".formatted(flag, file, why));
        }
        return Optional.of(file);
    }
}
