package dev.berth.cli;

import dev.berth.advisor.ask.Scorer;
import dev.berth.advisor.webhook.PriorityBuckets;
import dev.berth.advisor.webhook.WebhookSettings;
import dev.berth.advisor.wire.YesOrNo;
import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.cli.door.AdvisorWebhookDoor;
import dev.berth.cli.door.Place;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionException;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.KubeFlags;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Metrics;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flags of the advisor's webhook, and the webhook that they describe, as a picocli mixin. */
final class AdvisorWebhookFlags {
    private static final Logger LOG = LoggerFactory.getLogger(AdvisorWebhookFlags.class);

    @Mixin
    private DoorCertificates certificates = new DoorCertificates();

    @Option(
            names = "--webhook-port",
            paramLabel = "PORT",
            defaultValue = "8443",
            description =
                    "Port of /mutate, and of the webhook's own /healthz, /readyz and /metrics; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--timeout-seconds",
            paramLabel = "SECONDS",
            defaultValue = "${env:TIMEOUT_SECONDS:-5}",
            converter = Seconds.class,
            description =
                    "How long the agent may take; then the pod goes on without advice. Default: $$TIMEOUT_SECONDS, else 5.")
    private Duration timeout = Duration.ofSeconds(5);

    @Option(
            names = "--enable-mutation",
            paramLabel = "true|false",
            arity = "1",
            defaultValue = "${env:ENABLE_MUTATION:-true}",
            converter = Words.class,
            description = "false lets every pod through as it is. Default: $$ENABLE_MUTATION, else true.")
    private Boolean enabled = true;

    @Option(
            names = "--priority-buckets",
            paramLabel = "JSON",
            defaultValue = "${env:PRIORITY_BUCKETS:-}",
            converter = Buckets.class,
            description =
                    "Which score earns which priority class: [{\"minScore\": 90, \"priorityClassName\": \"gpu-ultra\"}, …]. Default: $$PRIORITY_BUCKETS, else gpu-ultra from 90 on, gpu-high from 70, gpu-medium from 50, gpu-default.")
    private PriorityBuckets buckets = PriorityBuckets.STANDARD;

    @Option(
            names = "--override",
            description =
                    "Replace the priority class and the type of GPU that a pod names itself. Without it they stay.")
    private boolean override;

    /**
     * The webhook, announced.
     *
     * @param parts gets what is to be closed, the last first
     */
    void open(
            Scorer scorer,
            KubeFlags kube,
            WebSettings settings,
            Metrics metrics,
            InstantSource clock,
            PrintWriter out,
            List<AutoCloseable> parts)
            throws InterruptedException {
        var cluster = connect(kube);
        cluster.ifPresent(parts::add);
        var opened =
                certificates.open(settings, () -> cluster.orElseGet(() -> Cluster.connect(kube.settings())), clock);
        parts.add(opened.keeper());
        var door = AdvisorWebhookDoor.open(
                new WebhookSettings(timeout, enabled, buckets, override),
                scorer,
                cluster,
                Instance.name("advisor"),
                new Place(settings.bindAddress(), port, opened.tls()),
                metrics,
                clock);
        parts.add(door);
        out.printf("webhook        %s%n", door.url());
        out.flush();
    }

    /** Empty where there is none to be found: for trying out. One that is named must be there. */
    private static Optional<Cluster> connect(KubeFlags kube) {
        ConnectionSettings settings;
        try {
            settings = kube.settings();
        } catch (ConnectionException none) {
            if (kube.given()) {
                throw none;
            }
            LOG.warn(
                    "no cluster: the published types of GPU are the candidates, priority classes are not looked up, nobody is told by an event");
            return Optional.empty();
        }
        return Optional.of(Cluster.connect(settings));
    }

    /** A number of seconds, with a fraction if need be. */
    static final class Seconds implements ITypeConverter<Duration> {
        private static final double MOST = 30;

        @Override
        public Duration convert(String text) {
            try {
                double seconds = Double.parseDouble(text.strip());
                if (seconds >= 0.001 && seconds <= MOST) {
                    return Duration.ofMillis(Math.round(seconds * 1000));
                }
            } catch (NumberFormatException noNumber) {
                // Said below.
            }
            throw new TypeConversionException(
                    "'%s' (TIMEOUT_SECONDS) is not a number of seconds up to 30".formatted(text));
        }
    }

    /** Yes and no as the agent's variables have them. */
    static final class Words implements ITypeConverter<Boolean> {
        @Override
        public Boolean convert(String text) {
            return YesOrNo.of(text)
                    .orElseThrow(() ->
                            new TypeConversionException("'%s' (ENABLE_MUTATION) is not true or false".formatted(text)));
        }
    }

    /** Nothing means the published ones. */
    static final class Buckets implements ITypeConverter<PriorityBuckets> {
        @Override
        public PriorityBuckets convert(String text) {
            try {
                return text.isBlank() ? PriorityBuckets.STANDARD : PriorityBuckets.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException("(PRIORITY_BUCKETS) " + wrong.getMessage());
            }
        }
    }
}
