package dev.berth.web.tls;

import java.io.IOException;
import java.util.Optional;

/** Where self-managed certificates are kept so that all replicas use the same: a Secret, or memory in a test. */
public interface CertificateVault {
    /** @param version changes with every write */
    record Stored(CertificateBundle bundle, String version) {}

    /** Empty when there is nothing yet. */
    Optional<Stored> read() throws IOException;

    /**
     * Writes if nobody has written since.
     *
     * @param expectedVersion of what was read; empty when there was nothing
     * @return false when somebody was faster
     */
    boolean write(CertificateBundle bundle, Optional<String> expectedVersion) throws IOException;
}
