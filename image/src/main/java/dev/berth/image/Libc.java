package dev.berth.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The C library as Debian packages it: the Java runtime needs nothing else of a system. */
final class Libc {
    private static final String PACKAGE = "libc6";
    private static final String WHERE =
            "the image's libc comes from the package libc6, which apt-get must know (Debian or Ubuntu, after apt-get update)";
    private static final Pattern LOADER = Pattern.compile("ld-linux.*\\.so\\..*");
    private static final Pattern LIBRARY = Pattern.compile("lib(c|m|dl|pthread|rt|resolv|nss_dns|nss_files)\\.so\\..*");

    private Libc() {}

    /** @param folder for what is fetched and unpacked */
    static void into(Path root, Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        fetch(folder);
        Path archive;
        try (var files = Files.newDirectoryStream(folder, PACKAGE + "_*.deb")) {
            archive = files.iterator().next();
        }
        var unpacked = folder.resolve("unpacked");
        Program.run(folder, WHERE, List.of("dpkg-deb", "-x", archive.toString(), unpacked.toString()));
        try (var files = Files.walk(unpacked)) {
            for (var file : files.toList()) take(file, unpacked, root);
        }
        Tree.copy(unpacked.resolve("usr/share/doc/libc6/copyright"), root.resolve("usr/share/doc/libc6/copyright"));
    }

    /** A machine that was just installed has no lists of packages yet. */
    private static void fetch(Path folder) throws IOException, InterruptedException {
        var download = List.of("apt-get", "download", PACKAGE);
        try {
            Program.run(folder, WHERE, download);
        } catch (IOException unknown) {
            try {
                Program.run(folder, WHERE, List.of("apt-get", "update"));
                Program.run(folder, WHERE, download);
            } catch (IOException still) {
                throw new Program.MissingException(WHERE, still);
            }
        }
    }

    /** The loader's link is at the path that is written into every program: what it points to goes there, too. */
    private static void take(Path file, Path unpacked, Path root) throws IOException {
        var name = file.getFileName().toString();
        var place = root.resolve(unpacked.relativize(file).toString());
        if (Files.isSymbolicLink(file)) {
            var target = unpacked.resolve("/").relativize(Files.readSymbolicLink(file));
            if (LOADER.matcher(name).matches()) Tree.copy(unpacked.resolve(target.toString()), place);
        } else if (LOADER.matcher(name).matches() || LIBRARY.matcher(name).matches()) {
            Tree.copy(file, place);
        }
    }
}
