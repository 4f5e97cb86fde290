package dev.berth.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;

/** Files and folders of the image while it is put together. */
final class Tree {
    /** What Jib writes for every file. An AOT cache knows the times of the archives that it was made of. */
    static final Instant TIME = Instant.ofEpochSecond(1);

    private Tree() {}

    static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Files.setLastModifiedTime(to, FileTime.from(TIME));
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
    }
}
