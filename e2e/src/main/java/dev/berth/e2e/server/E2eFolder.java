package dev.berth.e2e.server;

import java.nio.file.Path;

/** Where this module lies, whatever directory the JVM was started in. */
public final class E2eFolder {
    private E2eFolder() {}

    public static Path path() {
        return Path.of(System.getProperty("berth.e2e.directory", "e2e"));
    }

    /** The script by which users start Berth. */
    public static Path launcher() {
        return path().toAbsolutePath().normalize().resolveSibling("berth");
    }

    /** The number, from 1 on, of this JVM among those that tell stories side by side. */
    public static int fork() {
        return Integer.parseInt(System.getProperty("berth.e2e.fork", "jvm-1").substring("jvm-".length()));
    }

    /** For logs and files of a run. */
    public static Path target(String name) {
        var target = path().resolve("target");
        return (fork() == 1 ? target : target.resolve("fork-" + fork()))
                .resolve(name)
                .toAbsolutePath();
    }

    /** For what people look at after a run, all of it in one place. */
    public static Path kept(String name) {
        return path().resolve("target").resolve(name).toAbsolutePath();
    }
}
