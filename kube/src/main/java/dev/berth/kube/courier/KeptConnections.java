package dev.berth.kube.courier;

import io.helidon.webclient.api.DnsAddressLookup;
import io.helidon.webclient.http1.Http1Client;
import io.helidon.webclient.http1.Http1ClientConfig;
import io.helidon.webclient.spi.DnsResolver;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/** A client for one server: HTTP/1.1 on the caller's own thread, over connections of its own that are kept. */
public final class KeptConnections {
    private KeptConnections() {}

    /** @param most as many as are kept while nobody uses them */
    public static Http1ClientConfig.Builder client(Duration connect, Duration read, int most) {
        return Http1Client.builder()
                .connectTimeout(connect)
                .readTimeout(read)
                .followRedirects(false)
                .sendExpectContinue(false)
                .shareConnectionCache(false)
                .connectionCacheSize(most)
                .servicesDiscoverServices(false)
                .dnsResolver(new AsWritten());
    }

    /**
     * An address that is still called what the settings call it. Of one without a name Helidon asks the name, and would
     * then look for that name in the certificate.
     */
    private static final class AsWritten implements DnsResolver {
        @Override
        public InetAddress resolveAddress(String host, DnsAddressLookup lookup) {
            try {
                return InetAddress.getByAddress(
                        host, InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException unknown) {
                throw new UncheckedIOException(unknown);
            }
        }
    }
}
