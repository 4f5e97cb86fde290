import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Writes the classes of a jar anew in the format of Java 8, with the stack maps that this wants: an AOT cache holds no
 * classes of an older format, and then each start reads and verifies them one by one. Argument: the jar, which is
 * replaced.
 */
final class Modern {
    private Modern() {}

    public static void main(String[] arguments) throws IOException {
        var jar = Path.of(arguments[0]);
        try (var classes = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            var format = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(classes)));
            RewrittenJar.write(jar, bytes -> rewritten(format, bytes));
        }
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
