package dev.berth.e2e.server;

import java.nio.file.Path;

/** Where this module lies, whatever directory the JVM was started in. */
public final class E2eFolder {
    private E2eFolder() {}

    public static Path path() {
        return Path.of(System.getProperty("berth.e2e.directory", "e2e"));
    }

    /** For logs and files of a run. */
    public static Path target(String name) {
        return path().resolve("target").resolve(name).toAbsolutePath();
    }
}
