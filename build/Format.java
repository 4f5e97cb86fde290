import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats every Java file of the repository ({@code --write}), or names those that are not formatted ({@code --check}).
 */
class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(true)
            .build());

    public static void main(String[] arguments) throws IOException {
        boolean write = arguments[0].equals("--write");
        Path root = Path.of(arguments[1]).toRealPath();
        List<Path> unformatted = new ArrayList<>();
        for (Path file : javaFiles(root)) {
            String text = Files.readString(file);
            String formatted = format(file, text);
            if (formatted.equals(text)) continue;
            unformatted.add(root.relativize(file));
            if (write) Files.writeString(file, formatted);
        }
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
