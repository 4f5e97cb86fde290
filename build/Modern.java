import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Writes the classes of a jar anew in the format of Java 8, with the stack maps that this wants: an AOT cache holds no
 * classes of an older format, and then each start reads and verifies them one by one. Argument: the jar, which is
 * replaced.
 */
final class Modern {
    private static final LocalDateTime THE_SAME_EVERY_TIME = LocalDateTime.of(1980, 1, 1, 0, 0, 2);

    private Modern() {}

    public static void main(String[] arguments) throws IOException {
        var jar = Path.of(arguments[0]);
        var modern = jar.resolveSibling(jar.getFileName() + ".modern");
        try (var classes = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
                var from = new JarFile(jar.toFile());
                var to = new JarOutputStream(Files.newOutputStream(modern))) {
            var format = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)));
            for (var entry : from.stream().filter(each -> !each.isDirectory()).toList()) {
                var next = new JarEntry(entry.getName());
                next.setTimeLocal(THE_SAME_EVERY_TIME);
                to.putNextEntry(next);
                byte[] bytes = from.getInputStream(entry).readAllBytes();
                to.write(entry.getName().endsWith(".class") ? rewritten(format, bytes) : bytes);
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        Files.move(modern, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] rewritten(ClassFile format, byte[] bytes) {
        var parsed = format.parse(bytes);
        if (parsed.majorVersion() >= ClassFile.JAVA_8_VERSION) {
            return bytes;
        }
        return format.transformClass(
                parsed,
                // A body that goes through a transformation is written anew; one that does not is copied as it is.
                ClassTransform.transformingMethodBodies(CodeBuilder::with)
                        .andThen(ClassTransform.dropping(ClassFileVersion.class::isInstance))
                        .andThen(ClassTransform.endHandler(
                                builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0))));
    }
}
