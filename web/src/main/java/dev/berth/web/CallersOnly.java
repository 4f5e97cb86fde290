package dev.berth.web;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Set;

/** Serves who has shown a client certificate; all others may only ask how we are. */
final class CallersOnly implements Filter {
    private static final Set<String> OPEN = Set.of("/healthz", "/livez", "/readyz", "/metrics");

    private final ErrorReplies errors;

    CallersOnly(ErrorReplies errors) {
        this.errors = errors;
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        // The handshake has refused certificates that nobody we trust has signed: one that is there is good.
        if (request.remotePeer().tlsPrincipal().isPresent()
                || OPEN.contains(request.path().path())) {
            chain.proceed();
        } else {
            errors.reply(request, response, unknown());
        }
    }

    private static HttpException unknown() {
        return new HttpException(
                "show a client certificate: this door is for the API server (--client-ca)",
                Status.UNAUTHORIZED_401,
                true);
    }
}
