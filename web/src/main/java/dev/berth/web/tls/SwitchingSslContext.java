package dev.berth.web.tls;

import dev.berth.web.tls.TlsSource.ClientCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * An SSLContext that asks its source anew for every handshake, and puts our protocols and the source's wish for client
 * certificates on each socket: Helidon 4.5 applies neither to the sockets it makes.
 */
public final class SwitchingSslContext extends SSLContext {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private SwitchingSslContext(TlsSource source) {
        super(new Spi(source), source.context().getProvider(), "TLS");
    }

    public static SSLContext of(TlsSource source) {
        return new SwitchingSslContext(source);
    }

    private static SSLParameters parameters(SSLContext context, ClientCertificates wish) {
        var parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(PROTOCOLS.clone());
        switch (wish) {
            case IGNORED -> {}
            case WANTED, NEEDED_TO_CALL -> parameters.setWantClientAuth(true);
            case NEEDED -> parameters.setNeedClientAuth(true);
        }
        return parameters;
    }

    private static final class Spi extends SSLContextSpi {
        private final TlsSource source;

        Spi(TlsSource source) {
            this.source = source;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw new UnsupportedOperationException("this context gets its keys from its source");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new Factory(source);
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return source.context().getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            var context = source.context();
            var engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            engine.setSSLParameters(parameters(context, source.clientCertificates()));
            return engine;
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return engineCreateSSLEngine();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return source.context().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return source.context().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return parameters(source.context(), source.clientCertificates());
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return source.context().getSupportedSSLParameters();
        }
    }

    private static final class Factory extends SSLSocketFactory {
        private final TlsSource source;

        Factory(TlsSource source) {
            this.source = source;
        }

        @Override
        public Socket createSocket(Socket accepted, InputStream consumed, boolean autoClose) throws IOException {
            var context = source.context();
            // Helidon asks for a socket that does not close the connection below it, and never closes that itself.
            var socket = (SSLSocket) context.getSocketFactory().createSocket(accepted, consumed, true);
            socket.setSSLParameters(parameters(context, source.clientCertificates()));
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return source.context().getSocketFactory().getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return source.context().getSocketFactory().getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) {
            throw serverOnly();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw serverOnly();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw serverOnly();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw serverOnly();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            throw serverOnly();
        }

        private static UnsupportedOperationException serverOnly() {
            return new UnsupportedOperationException("this context serves, it does not connect");
        }
    }
}
