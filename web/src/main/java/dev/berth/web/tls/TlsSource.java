package dev.berth.web.tls;

import javax.net.ssl.SSLContext;

/** Where a listener's certificate comes from. Asked at every handshake, so that a change needs no restart. */
public interface TlsSource {
    /** Whether a client is asked for a certificate of its own. */
    enum ClientCertificates {
        IGNORED,
        /** Asked for; a client without one is served, a client with one that nobody we trust has signed is not. */
        WANTED,
        /** Asked for; a client without one gets nothing but health and metrics: kubelets and Prometheus have none. */
        NEEDED_TO_CALL,
        NEEDED
    }

    /** The context of the next handshake: quick, and the same object until something changes. */
    SSLContext context();

    default ClientCertificates clientCertificates() {
        return ClientCertificates.IGNORED;
    }
}
