package dev.berth.claims.dra.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.CelStandardOverload;
import dev.cel.runtime.standard.InOperator.InOverload;
import dev.cel.runtime.standard.MatchesFunction.MatchesOverload;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The language of selectors: {@code device}, the standard library, and what Kubernetes adds. */
final class DeviceLanguage {
    static final String DEVICE = "device";
    static final String DRIVER = "driver";
    static final String ATTRIBUTES = "attributes";
    static final String CAPACITY = "capacity";
    static final String SHAREABLE = "allowMultipleAllocations";

    private static final String SORTED = "lists.@sortByAssociatedKeys";

    /** What an evaluation may cost is {@link CostMeter}'s business; no loop can have more steps than that. */
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .enableOptionalSyntax(true)
            .comprehensionMaxIterations((int) CostMeter.LIMIT)
            .maxExpressionCodePointSize(10_240)
            .maxParseRecursionDepth(64)
            .build();

    private static final StructType DEVICE_TYPE = StructType.create(
            "kubernetes.DRADevice", ImmutableSet.of(DRIVER, ATTRIBUTES, CAPACITY, SHAREABLE), DeviceLanguage::field);

    /** As of the version that Kubernetes has. */
    private static final Set<CelStringExtensions.Function> STRINGS =
            Sets.immutableEnumSet(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE)));

    private static final Functions FUNCTIONS = KubernetesFunctions.all();

    static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(new Types())
            .addVar(DEVICE, DEVICE_TYPE)
            .addFunctionDeclarations(FUNCTIONS.declarations())
            .addMacros(CelExtensions.lists().macros())
            .addFunctionDeclarations(lists())
            .addLibraries(
                    CelExtensions.strings(STRINGS),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.bindings(),
                    CelExtensions.optional(),
                    CelExtensions.comprehensions())
            .setResultType(SimpleType.BOOL)
            .build();

    private static final Set<CelStandardOverload> REPLACED =
            Set.of(InOverload.IN_MAP, MatchesOverload.MATCHES, MatchesOverload.MATCHES_STRING);

    static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardFunctions(CelStandardFunctions.newBuilder()
                    .filterFunctions((_, overload) -> !REPLACED.contains(overload))
                    .build())
            .addFunctionBindings(FUNCTIONS.bindings())
            .addFunctionBindings(CelFunctionBinding.from(
                    "in_map", Object.class, Map.class, (key, map) -> ((Map<?, ?>) map).containsKey(key)))
            .addFunctionBindings(
                    CelFunctionBinding.from("matches", String.class, String.class, Patterns::matches),
                    CelFunctionBinding.from("matches_string", String.class, String.class, Patterns::matches))
            .addLibraries(
                    CelExtensions.strings(STRINGS),
                    CelExtensions.lists(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.optional(),
                    CelExtensions.comprehensions())
            .build();

    static final CelValidator VALIDATOR = CelValidatorFactory.standardCelValidatorBuilder(COMPILER, RUNTIME)
            .addAstValidators(HomogeneousLiteralValidator.newInstance("format"))
            .build();

    private DeviceLanguage() {}

    /**
     * The library says that what is sorted by keys becomes a list of lists, and then nothing can be compared with it.
     */
    private static List<CelFunctionDecl> lists() {
        return CelExtensions.lists().functions().stream()
                .map(declared -> declared.name().equals(SORTED) ? ofAnything(declared) : declared)
                .toList();
    }

    private static CelFunctionDecl ofAnything(CelFunctionDecl declared) {
        return CelFunctionDecl.newFunctionDeclaration(
                declared.name(),
                declared.overloads().stream()
                        .map(overload -> CelOverloadDecl.newGlobalOverload(
                                overload.overloadId(), ListType.create(SimpleType.DYN), overload.parameterTypes()))
                        .toList());
    }

    private static Optional<CelType> field(String name) {
        return switch (name) {
            case DRIVER -> Optional.of(SimpleType.STRING);
            case SHAREABLE -> Optional.of(SimpleType.BOOL);
            case ATTRIBUTES -> Optional.of(byDomain(SimpleType.DYN));
            case CAPACITY -> Optional.of(byDomain(KubernetesFunctions.QUANTITY));
            default -> Optional.empty();
        };
    }

    private static CelType byDomain(CelType value) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
    }

    /** Knows the one type that is not built in. */
    private static final class Types implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableList.of(DEVICE_TYPE);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return name.equals(DEVICE_TYPE.name()) ? Optional.of(DEVICE_TYPE) : Optional.empty();
        }
    }
}
