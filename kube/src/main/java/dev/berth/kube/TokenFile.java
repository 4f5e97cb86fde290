package dev.berth.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bearer token in a file, read again when the file changes; a failed read keeps the last good token. */
final class TokenFile {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

    private final Path file;
    private String token;
    private FileTime modified;

    TokenFile(Path file) {
        this.file = file;
        try {
            this.modified = Files.getLastModifiedTime(file);
            this.token = Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new ConnectionException("token file %s cannot be read".formatted(file), unreadable);
        }
        if (token.isEmpty()) {
            throw new ConnectionException("token file %s is empty".formatted(file));
        }
    }

    synchronized String current() {
        try {
            // Kubernetes swaps a symbolic link: the time of what it points at changes, so it is followed.
            var now = Files.getLastModifiedTime(file);
            if (!now.equals(modified)) {
                var fresh = Files.readString(file).strip();
                if (!fresh.isEmpty()) {
                    token = fresh;
                    modified = now;
                }
            }
        } catch (IOException unreadable) {
            LOG.warn("token file cannot be read, the old token stays in use: file={}", file, unreadable);
        }
        return token;
    }
}
