import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/** Replaces a jar by one with other classes and the same of all else, with the same bytes every time. */
final class RewrittenJar {
    private static final LocalDateTime THE_SAME_EVERY_TIME = LocalDateTime.of(1980, 1, 1, 0, 0, 2);

    private RewrittenJar() {}

    static void write(Path jar, UnaryOperator<byte[]> classes) throws IOException {
        var rewritten = jar.resolveSibling(jar.getFileName() + ".rewritten");
        try (var from = new JarFile(jar.toFile());
                var to = new JarOutputStream(Files.newOutputStream(rewritten))) {
            for (var entry : from.stream().filter(each -> !each.isDirectory()).toList()) {
                var next = new JarEntry(entry.getName());
                next.setTimeLocal(THE_SAME_EVERY_TIME);
                to.putNextEntry(next);
                byte[] bytes = from.getInputStream(entry).readAllBytes();
                to.write(entry.getName().endsWith(".class") ? classes.apply(bytes) : bytes);
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
