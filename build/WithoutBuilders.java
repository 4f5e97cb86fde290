import java.io.IOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;

/**
 * Takes the builders out of the signatures of fabric8's model. Whoever looks at the methods of a class, as Jackson does
 * at each that it reads, loads all classes in their signatures, and every class of the model has two methods that
 * return its builder: to read a Pod would take 300 builders that nobody builds with. {@code edit()} stays under the
 * signature of its interface, {@code toBuilder()}, which nothing here calls, goes. Arguments: the jars, which are
 * replaced.
 */
final class WithoutBuilders {
    private static final MethodTypeDesc ANYTHING = MethodTypeDesc.of(ConstantDescs.CD_Object);

    private WithoutBuilders() {}

    public static void main(String[] arguments) throws IOException {
        for (var jar : arguments) {
            RewrittenJar.write(Path.of(jar), WithoutBuilders::rewritten);
        }
    }

    private static byte[] rewritten(byte[] bytes) {
        var format = ClassFile.of();
        var parsed = format.parse(bytes);
        boolean edited = parsed.interfaces().stream()
                .anyMatch(face -> face.asInternalName().equals("io/fabric8/kubernetes/api/builder/Editable"));
        return edited ? format.transformClass(parsed, (builder, element) -> rewrite(parsed, builder, element)) : bytes;
    }

    private static void rewrite(ClassModel model, ClassBuilder builder, ClassElement element) {
        switch (element) {
            case MethodModel method
            when returnsItsBuilder(model, method) -> {
                if (method.methodName().equalsString("edit")) {
                    builder.withMethod("edit", ANYTHING, method.flags().flagsMask(), to -> method.forEach(to::with));
                }
            }
            case MethodModel method
            when method.methodName().equalsString("edit") && method.flags().has(AccessFlag.BRIDGE) -> {}
            case SignatureAttribute signature ->
                builder.with(SignatureAttribute.of(ClassSignature.parseFrom(signature
                        .signature()
                        .stringValue()
                        .replaceAll("(builder/Editable<)[^>]*;>", "$1Ljava/lang/Object;>"))));
            default -> builder.with(element);
        }
    }

    private static boolean returnsItsBuilder(ClassModel model, MethodModel method) {
        return method.methodType().equalsString("()L" + model.thisClass().asInternalName() + "Builder;");
    }
}
