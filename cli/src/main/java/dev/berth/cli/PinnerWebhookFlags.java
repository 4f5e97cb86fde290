package dev.berth.cli;

import dev.berth.cli.certificate.DoorCertificates;
import dev.berth.cli.door.PinnerWebhookDoor;
import dev.berth.cli.door.Place;
import dev.berth.kube.Cluster;
import dev.berth.pinner.webhook.WebhookSettings;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of the pinner's webhook, and the webhook that they describe, as a picocli mixin. */
final class PinnerWebhookFlags {
    @Mixin
    private DoorCertificates certificates = new DoorCertificates();

    @Option(
            names = "--webhook-port",
            paramLabel = "PORT",
            defaultValue = "8443",
            description =
                    "Port of /mutate, and of the webhook's own /healthz, /readyz and /metrics; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--strict", description = "Deny pods whose map has a malformed line. Without it they are warned.")
    private boolean strict;

    @Option(
            names = "--respect-existing",
            description = "Leave containers alone that have a CUDA_VISIBLE_DEVICES of their own.")
    private boolean respectExisting;

    /** The webhook, and what is to be closed after it. */
    record Opened(PinnerWebhookDoor door, AutoCloseable certificates) {}

    /** @param cluster opened only where a Secret keeps the certificate */
    Opened open(Supplier<Cluster> cluster, String name, WebSettings settings, Metrics metrics, InstantSource clock)
            throws InterruptedException {
        var opened = certificates.open(settings, cluster, clock);
        var door = PinnerWebhookDoor.open(
                new WebhookSettings(name, strict, respectExisting),
                new Place(settings.bindAddress(), port, opened.tls()),
                metrics);
        return new Opened(door, opened.keeper());
    }
}
