package dev.berth.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** How many files, sockets among them, the operating system lets this process have open. */
final class OpenFiles {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max open files";

    private OpenFiles() {}

    /** Only Linux tells; elsewhere, and where there is no limit, it is empty. */
    static OptionalInt limit() {
        if (!Files.isReadable(LIMITS)) {
            return OptionalInt.empty();
        }
        try (var lines = Files.lines(LIMITS)) {
            return lines.filter(line -> line.startsWith(LINE))
                    .map(line -> line.substring(LINE.length()).strip().split(" ")[0])
                    .filter(soft -> soft.chars().allMatch(Character::isDigit))
                    .mapToInt(soft -> (int) Math.min(Long.parseLong(soft), Integer.MAX_VALUE))
                    .findFirst();
        } catch (IOException _) {
            return OptionalInt.empty();
        }
    }
}
