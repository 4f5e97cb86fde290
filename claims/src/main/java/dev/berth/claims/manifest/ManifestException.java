package dev.berth.claims.manifest;

import org.jspecify.annotations.Nullable;

/** Input that cannot be understood; the message names the file, the document, the line and the field. */
public final class ManifestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }

    ManifestException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
