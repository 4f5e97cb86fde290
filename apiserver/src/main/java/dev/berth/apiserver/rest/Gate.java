package dev.berth.apiserver.rest;

import dev.berth.apiserver.admission.User;
import dev.berth.apiserver.status.ApiException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who comes in: by bearer token, by client certificate, or, where neither is asked for, anybody as the administrator.
 */
public final class Gate {
    private static final User ADMINISTRATOR =
            new User("berth-admin", "", List.of("system:masters", "system:authenticated"));

    private final Map<String, User> tokens;
    private final boolean certificates;

    /**
     * @param tokens users by their bearer token
     * @param certificates whether clients prove themselves by a certificate, which the TLS listener has checked
     */
    public Gate(Map<String, User> tokens, boolean certificates) {
        this.tokens = Map.copyOf(tokens);
        this.certificates = certificates;
    }

    User admit(ServerRequest request) {
        String authorization = request.headers().contains(HeaderNames.AUTHORIZATION)
                ? request.headers().get(HeaderNames.AUTHORIZATION).get()
                : "";
        if (authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
            Optional<User> known = byToken(authorization.substring(7).strip());
            if (known.isPresent()) return known.get();
        }
        if (certificates) {
            Optional<User> known = request.remotePeer().tlsPrincipal().flatMap(ClientNames::user);
            if (known.isPresent()) return known.get();
        }
        if (tokens.isEmpty() && !certificates) return ADMINISTRATOR;
        throw new ApiException(401, "Unauthorized", "Unauthorized", null);
    }

    Optional<User> byToken(String token) {
        byte[] asked = token.getBytes(StandardCharsets.UTF_8);
        User found = null;
        // Every token is compared whole, so that the time it takes says nothing about them.
        for (Map.Entry<String, User> each : tokens.entrySet()) {
            if (MessageDigest.isEqual(each.getKey().getBytes(StandardCharsets.UTF_8), asked)) found = each.getValue();
        }
        return Optional.ofNullable(found);
    }
}
