import static java.nio.charset.StandardCharsets.UTF_8;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Formats every Java file of the repository ({@code --write}), or names those that are not formatted ({@code --check}).
 * What was found well formatted is remembered by its hash, so that only what changed since is parsed again.
 */
class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(true)
            .build());

    /** The formatter's jar, which is named by its version. */
    private static final String VERSION = Formatter.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath()
            .replaceAll(".*/", "");

    public static void main(String[] arguments) throws IOException {
        boolean write = arguments[0].equals("--write");
        Path root = Path.of(arguments[1]).toRealPath();
        Path memory = root.resolve("build/target/well-formatted");
        Set<String> known = Files.exists(memory) ? Set.copyOf(Files.readAllLines(memory)) : Set.of();
        Set<String> wellFormatted = new TreeSet<>();
        List<Path> unformatted = new ArrayList<>();
        for (Path file : javaFiles(root)) {
            String text = Files.readString(file);
            String formatted = known.contains(hash(text)) ? text : format(file, text);
            if (formatted.equals(text) || write) wellFormatted.add(hash(formatted));
            if (formatted.equals(text)) continue;
            unformatted.add(root.relativize(file));
            if (write) Files.writeString(file, formatted);
        }
        Files.createDirectories(memory.getParent());
        Files.write(memory, wellFormatted);
        if (unformatted.isEmpty()) return;
        unformatted.forEach(file -> System.err.println((write ? "formatted " : "not formatted: ") + file));
        if (!write) {
            System.err.println("run build/format to format them");
            System.exit(1);
        }
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        try (var paths = Files.walk(root)) {
            return paths.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !root.relativize(path).toString().contains("target/"))
                    .sorted()
                    .toList();
        }
    }

    /** Of the text and the formatter's version, since another one may want it otherwise. */
    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(VERSION.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String format(Path file, String text) {
        try {
            String ordered = ImportOrderer.reorderImports(
                    RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.PALANTIR);
            return FORMATTER.formatSource(ordered);
        } catch (FormatterException e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e);
        }
    }
}
