package dev.berth.web.tls;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;

/** A throw-away authority and certificate in memory, for tests and for trying things out. */
public record SelfSigned(SSLContext context, Authority authority) implements TlsSource {
    private static final Duration LIFE = Duration.ofDays(365);

    /** @param names host names and addresses that clients will use */
    public static SelfSigned create(List<String> names, InstantSource clock) {
        var authority = Authority.create("berth self-signed", clock.instant(), LIFE);
        var serving = authority.issueServing(names, clock.instant(), LIFE);
        return new SelfSigned(serving.context(List.of()), authority);
    }

    /** What a client has to trust. */
    public String authorityPem() {
        return Pem.text(authority.certificate());
    }
}
