package dev.berth.claims.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import java.util.Map;

/** The language: {@code device}, the standard library, and comparisons that know types. */
final class Language {
    /** The attributes as people see them: texts, numbers, truth values. */
    static final String DEVICE = "device";

    /** The same attributes with their types; nobody can write this name. */
    static final String TYPED = "@typed";

    /** What stands for each comparison in which an attribute takes part. */
    static final Map<String, String> TYPED_COMPARISONS = Map.of(
            "_==_", "@equal",
            "_!=_", "@unequal",
            "_<_", "@less",
            "_<=_", "@lessEqual",
            "_>_", "@greater",
            "_>=_", "@greaterEqual",
            "@in", "@among");

    /** What one evaluation may cost: a device has few attributes, and no honest constraint comes near. */
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(2_000)
            .maxRegexProgramSize(1_000)
            .maxExpressionCodePointSize(10_240)
            .maxParseRecursionDepth(64)
            .build();

    private static final MapType ATTRIBUTES = MapType.create(SimpleType.STRING, SimpleType.DYN);

    static final CelCompiler COMPILER = compiler();
    static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addFunctionBindings(
                    binding("@equal", Comparison::equal),
                    binding("@unequal", (left, right) -> !Comparison.equal(left, right)),
                    binding("@less", (left, right) -> Comparison.compare(left, right) < 0),
                    binding("@lessEqual", (left, right) -> Comparison.compare(left, right) <= 0),
                    binding("@greater", (left, right) -> Comparison.compare(left, right) > 0),
                    binding("@greaterEqual", (left, right) -> Comparison.compare(left, right) >= 0),
                    binding("@among", (value, list) -> Comparison.contains(list, value)))
            .build();

    /** A list of numbers and texts compares with nothing: whoever wrote it meant something else. */
    static final CelValidator VALIDATOR = CelValidatorFactory.standardCelValidatorBuilder(COMPILER, RUNTIME)
            .addAstValidators(HomogeneousLiteralValidator.newInstance())
            .build();

    private Language() {}

    private static CelCompiler compiler() {
        var builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addVar(DEVICE, ATTRIBUTES)
                .addVar(TYPED, ATTRIBUTES)
                .setResultType(SimpleType.BOOL);
        ImmutableList<CelType> two = ImmutableList.of(SimpleType.DYN, SimpleType.DYN);
        TYPED_COMPARISONS
                .values()
                .forEach(name -> builder.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                        name, CelOverloadDecl.newGlobalOverload(overload(name), SimpleType.BOOL, two))));
        return builder.build();
    }

    private static CelFunctionBinding binding(String name, CelFunctionOverload.Binary<Object, Object> test) {
        return CelFunctionBinding.from(overload(name), Object.class, Object.class, test);
    }

    private static String overload(String name) {
        return "berth_" + name.substring(1);
    }
}
