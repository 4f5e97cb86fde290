package dev.berth.simulator;

import java.nio.file.Path;

/** A trace that cannot be read; the message names the file, the line and what is wrong there. */
public final class BadTraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadTraceException(Path file, int line, String problem) {
        this(file.toString(), line, problem);
    }

    public BadTraceException(String source, int line, String problem) {
        super("%s:%d: %s".formatted(source, line, problem));
    }

    public BadTraceException(Path file, String problem) {
        this(file.toString(), problem);
    }

    public BadTraceException(String source, String problem) {
        super("%s: %s".formatted(source, problem));
    }
}
