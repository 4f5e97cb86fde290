package dev.berth.console;

import dev.berth.web.BearerToken;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may read what the page shows. The page's own files are open to all: there is nothing in them.
 *
 * @param token what a reader must show as a bearer token
 * @param proxyHeader what a proxy that has asked the reader who he is puts his name into
 */
public record Guard(Optional<BearerToken> token, Optional<HeaderName> proxyHeader) {
    /** Everybody may: for the loopback address, and where somebody else guards the way. */
    public static final Guard OPEN = new Guard(Optional.empty(), Optional.empty());

    public static Guard of(Optional<Path> tokenFile, Optional<String> proxyHeader) {
        return new Guard(tokenFile.map(BearerToken::new), proxyHeader.map(HeaderNames::create));
    }

    public boolean open() {
        return token.isEmpty() && proxyHeader.isEmpty();
    }

    private boolean admits(ServerRequest request) {
        return open()
                || token.filter(each -> each.isShownBy(request)).isPresent()
                || proxyHeader
                        .flatMap(name -> request.headers().first(name))
                        .filter(user -> !user.isBlank())
                        .isPresent();
    }

    public Handler around(Handler inner) {
        return (request, response) -> {
            if (!admits(request)) {
                refuse(response);
            }
            inner.handle(request, response);
        };
    }

    private static void refuse(ServerResponse response) {
        response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        throw new HttpException("the bearer token is missing or not the right one", Status.UNAUTHORIZED_401, true);
    }
}
