package dev.berth.web;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The token in a file, which a caller must show. The file is read each time: a token that was replaced is none. */
public record BearerToken(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(BearerToken.class);
    private static final String BEARER = "Bearer ";

    public boolean isShownBy(ServerRequest request) {
        try {
            var wanted = Files.readString(file).strip();
            var shown = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
            // How the scheme is written does not matter to HTTP.
            return !wanted.isEmpty()
                    && shown.regionMatches(true, 0, BEARER, 0, BEARER.length())
                    && MessageDigest.isEqual(
                            wanted.getBytes(StandardCharsets.UTF_8),
                            shown.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            LOG.error("nobody may call, the token cannot be read: file={}", file, unreadable);
            return false;
        }
    }
}
