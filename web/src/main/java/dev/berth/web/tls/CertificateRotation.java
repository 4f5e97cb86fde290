package dev.berth.web.tls;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refreshes self-managed certificates for as long as it is open. */
public final class CertificateRotation implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CertificateRotation.class);

    private final ManagedCertificates certificates;
    private final Duration period;
    private final Thread thread;

    private CertificateRotation(ManagedCertificates certificates, Duration period) {
        this.certificates = certificates;
        this.period = period;
        this.thread = Thread.ofVirtual().name("certificate-rotation").unstarted(this::run);
    }

    /** @param period about ten seconds: also how soon a replica uses what another one has renewed */
    public static CertificateRotation start(ManagedCertificates certificates, Duration period) {
        var rotation = new CertificateRotation(certificates, period);
        rotation.thread.start();
        return rotation;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                // Until there is a first certificate nothing can be served: look again soon.
                Thread.sleep(refreshed() && certificates.ready() ? period : period.dividedBy(30));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean refreshed() {
        try {
            certificates.refresh();
            return true;
        } catch (IOException | RuntimeException e) {
            log.warn("certificates not refreshed, the ones in use stay: {}", e.toString());
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
