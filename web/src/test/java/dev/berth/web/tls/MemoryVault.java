package dev.berth.web.tls;

import java.util.Optional;

/** A vault that can be beaten to a write. */
final class MemoryVault implements CertificateVault {
    private Optional<Stored> stored = Optional.empty();
    private Runnable beforeNextWrite = () -> {};
    private int version;

    @Override
    public synchronized Optional<Stored> read() {
        return stored;
    }

    @Override
    public synchronized boolean write(CertificateBundle bundle, Optional<String> expectedVersion) {
        var intruder = beforeNextWrite;
        beforeNextWrite = () -> {};
        intruder.run();
        if (!stored.map(Stored::version).equals(expectedVersion)) {
            return false;
        }
        version++;
        stored = Optional.of(new Stored(bundle, "v" + version));
        return true;
    }

    void beforeNextWrite(Runnable action) {
        beforeNextWrite = action;
    }

    CertificateBundle bundle() {
        return stored.orElseThrow().bundle();
    }

    int writes() {
        return version;
    }
}
