package dev.berth.web;

import dev.berth.web.tls.CertificateFiles;
import dev.berth.web.tls.SelfSigned;
import dev.berth.web.tls.TlsSource;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Where and how a command serves, as its flags say. */
public record WebSettings(String bindAddress, Transport transport) {
    /** How bytes travel. */
    public sealed interface Transport {
        /** A certificate and key that somebody else keeps. */
        record Files(Path certificate, Path key) implements Transport {}

        /** A certificate of our own: in a Secret where there is a cluster, in memory elsewhere. */
        record OwnCertificate() implements Transport {}

        /** No TLS: on the loopback address, or behind a proxy that has it. */
        record PlainHttp() implements Transport {}
    }

    /**
     * What a listener needs. A command that keeps its own certificate in a cluster takes
     * {@link dev.berth.web.tls.ManagedCertificates} in place of this for {@link Transport.OwnCertificate}.
     *
     * @param names host names and addresses for a certificate in memory
     */
    public Optional<TlsSource> openTls(List<String> names, InstantSource clock) {
        return switch (transport) {
            case Transport.Files(var certificate, var key) ->
                Optional.of(CertificateFiles.open(certificate, key, clock));
            case Transport.OwnCertificate() -> Optional.of(SelfSigned.create(names, clock));
            case Transport.PlainHttp() -> Optional.empty();
        };
    }
}
