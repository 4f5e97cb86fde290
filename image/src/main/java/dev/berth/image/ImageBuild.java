package dev.berth.image;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** Run by the build: lays the image's files out in {@code target/root}, and packs them into a tarball. */
final class ImageBuild {
    private static final String HOME = "opt/berth";
    /** Commands that run without the second compiler have no use for what it would go by. */
    private static final List<String> NO_PROFILES = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining");

    /** What jdeps says that the archives need, save java.desktop: only beans' annotations are used of it, if there. */
    private static final String MODULES =
            "java.base,java.management,java.naming,java.net.http,java.security.jgss,java.sql,jdk.jfr,jdk.management,jdk.unsupported";

    private final Path built;
    private final Path sources;
    private final Path target;
    private final Path root;
    private final Path home;

    private ImageBuild(Path built, Path sources, Path target) {
        this.built = built;
        this.sources = sources;
        this.target = target;
        this.root = target.resolve("root");
        this.home = root.resolve(HOME);
    }

    /** What cli has built, where the sources are, where to put things, and the version. */
    public static void main(String[] arguments) throws Exception {
        var build = new ImageBuild(Path.of(arguments[0]).toRealPath(), Path.of(arguments[1]), Path.of(arguments[2]));
        var tarball = build.target.resolve("berth-image.tar");
        Files.deleteIfExists(tarball);
        try {
            build.layOut();
        } catch (Program.MissingException missing) {
            // CI asks for the image wherever it can be made; who asked for it himself must hear that it cannot.
            if (!"true".equals(System.getenv("CI"))) throw missing;
            IO.println("image: NOT BUILT: " + missing.getMessage());
            return;
        }
        Tarball.write(build.root, tarball, arguments[3].replace("-SNAPSHOT", ""));
        IO.println("image: %s, %d MB".formatted(tarball, Files.size(tarball) / 1_000_000));
    }

    private void layOut() throws IOException, InterruptedException {
        Tree.delete(root);
        Tree.delete(target.resolve("debian"));
        Files.createDirectories(home);
        Libc.into(root, target.resolve("debian"));
        link();
        copyProgram();
        train("berth-short.aot", NO_PROFILES, "--short");
        train("berth-lean.aot", NO_PROFILES, "--doors=assigner,pinner,scheduler");
        train("berth.aot", List.of());
        Program.run(
                target,
                "the image's launcher is compiled with cc and a static libc (apt-get install gcc libc6-dev)",
                List.of(
                        "cc",
                        "-O2",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        "-static",
                        "-s",
                        "-o",
                        Files.createDirectories(root.resolve("usr/bin"))
                                .resolve("berth")
                                .toString(),
                        sources.resolve("c/berth.c").toString()));
        try (var files = Files.list(sources.resolve("etc"))) {
            for (var file : files.toList()) Tree.copy(file, root.resolve("etc").resolve(file.getFileName()));
        }
        // Where a container runtime mounts something, and where the program may write.
        for (var name : List.of("tmp", "proc", "dev", "sys")) Files.createDirectories(root.resolve(name));
    }

    private void link() {
        var said = new StringWriter();
        var writer = new PrintWriter(said);
        int code = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IllegalStateException("this Java has no jlink: a whole JDK is needed"))
                .run(
                        writer,
                        writer,
                        "--add-modules",
                        MODULES,
                        "--strip-debug",
                        "--no-header-files",
                        "--no-man-pages",
                        "--output",
                        home.resolve("jre").toString());
        if (code != 0) throw new IllegalStateException("jlink failed: " + said);
    }

    private void copyProgram() throws IOException {
        for (var name : List.of("berth.jar", "berth.flags", "berth.commands")) {
            Tree.copy(built.resolve(name), home.resolve(name));
        }
        try (var archives = Files.list(built.resolve("lib"))) {
            for (var archive : archives.toList())
                Tree.copy(archive, home.resolve("lib").resolve(archive.getFileName()));
        }
    }

    /** With the image's own runtime: a cache works with no other. Where it lies may differ, if all lies together. */
    private void train(String cache, List<String> options, String... more) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                home.resolve("jre/bin/java").toString(),
                "@" + home.resolve("berth.flags"),
                "-Xlog:disable",
                "-Xlog:all=error:stderr"));
        command.addAll(options);
        command.addAll(List.of(
                "-XX:AOTCacheOutput=" + home.resolve(cache),
                "-cp",
                home.resolve("berth.jar").toString(),
                "dev.berth.cli.Berth",
                "train"));
        command.addAll(List.of(more));
        Program.run(target, "berth train must work", command);
    }
}
