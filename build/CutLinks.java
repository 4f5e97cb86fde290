import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets Helidon's reader of a connection forget what was read. It keeps pieces of what came in a chain, and a piece that
 * was read still knows the next one. Once a collection of the whole heap has met a connection, the piece that it met is
 * old; from then on each piece is held by the one before it, dead as that is, and grows old, too: all that ever comes
 * over that connection, until the whole heap is collected again. A kept connection of a scheduler brings gigabytes.
 * Argument: helidon-common-buffers, which is replaced.
 */
final class CutLinks {
    private static final String READER = "io/helidon/common/buffers/DataReader";
    private static final ClassDesc NODE = ClassDesc.ofInternalName(READER + "$Node");

    private CutLinks() {}

    public static void main(String[] arguments) throws IOException {
        var cut = new AtomicInteger();
        RewrittenJar.write(Path.of(arguments[0]), bytes -> {
            var parsed = ClassFile.of().parse(bytes);
            if (!parsed.thisClass().asInternalName().equals(READER)) {
                return bytes;
            }
            if (isForgetful(parsed)) {
                cut.incrementAndGet();
                return bytes;
            }
            return forgetful(parsed, cut);
        });
        if (cut.get() != 1) {
            throw new IllegalStateException(
                    "DataReader goes on to its next node at %d places, not at one: look whether it still needs this"
                            .formatted(cut.get()));
        }
    }

    /** As in a folder that was built before. */
    private static boolean isForgetful(ClassModel reader) {
        return reader.methods().stream()
                .filter(method -> method.methodName().equalsString("ensureAvailable"))
                .flatMap(method -> method.code().orElseThrow().elementStream())
                .anyMatch(element -> element instanceof FieldInstruction field
                        && field.opcode() == Opcode.PUTFIELD
                        && field.name().equalsString("next"));
    }

    private static byte[] forgetful(ClassModel reader, AtomicInteger cut) {
        CodeTransform goOn = (code, element) -> {
            if (element instanceof FieldInstruction field
                    && field.opcode() == Opcode.PUTFIELD
                    && field.name().equalsString("head")) {
                cut.incrementAndGet();
                // The next node is on the stack already, the present one still in its place.
                code.aload(0).getfield(field.field()).aconst_null().putfield(NODE, "next", NODE);
            }
            code.with(element);
        };
        return ClassFile.of()
                .transformClass(
                        reader,
                        ClassTransform.transformingMethodBodies(
                                method -> method.methodName().equalsString("ensureAvailable"), goOn));
    }
}
