package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** CEL as match conditions speak it: {@code object}, {@code oldObject} and {@code request}, and bounded loops. */
final class ConditionLanguage {
    /**
     * The nearest that the library has to the cost limit of Kubernetes: how often the loops of one evaluation may turn,
     * and how large a regular expression may become.
     */
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(100_000)
            .maxRegexProgramSize(2_000)
            .maxExpressionCodePointSize(100_000)
            .build();

    static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(new RequestTypes())
            .addLibraries(
                    CelExtensions.optional(),
                    CelExtensions.strings(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.bindings(),
                    CelExtensions.encoders(OPTIONS))
            .addVar("object", SimpleType.DYN)
            .addVar("oldObject", SimpleType.DYN)
            .addVar("request", RequestTypes.REQUEST)
            .build();

    static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    CelExtensions.optional(),
                    CelExtensions.strings(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.encoders(OPTIONS))
            .build();

    private ConditionLanguage() {}

    static Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> {
                Map<String, Object> map = LinkedHashMap.newLinkedHashMap(node.size());
                node.properties().forEach(each -> map.put(each.getKey(), value(each.getValue())));
                yield map;
            }
            case ARRAY -> {
                List<Object> list = new ArrayList<>(node.size());
                for (JsonNode each : node) list.add(value(each));
                yield list;
            }
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
            case NULL, MISSING, BINARY, POJO -> NullValue.NULL_VALUE;
        };
    }

    /** The types of {@code request}, so that a field that is not there is refused when the condition is written. */
    private record RequestTypes() implements CelTypeProvider {
        private static final StructType KIND = struct(
                "kubernetes.GroupVersionKind",
                ImmutableMap.of("group", SimpleType.STRING, "version", SimpleType.STRING, "kind", SimpleType.STRING));
        private static final StructType RESOURCE = struct(
                "kubernetes.GroupVersionResource",
                ImmutableMap.of(
                        "group", SimpleType.STRING, "version", SimpleType.STRING, "resource", SimpleType.STRING));
        private static final StructType USER = struct(
                "kubernetes.UserInfo",
                ImmutableMap.of(
                        "username",
                        SimpleType.STRING,
                        "uid",
                        SimpleType.STRING,
                        "groups",
                        ListType.create(SimpleType.STRING),
                        "extra",
                        MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING))));
        static final StructType REQUEST = struct(
                "kubernetes.AdmissionRequest",
                ImmutableMap.<String, CelType>builder()
                        .put("uid", SimpleType.STRING)
                        .put("kind", KIND)
                        .put("resource", RESOURCE)
                        .put("subResource", SimpleType.STRING)
                        .put("requestKind", KIND)
                        .put("requestResource", RESOURCE)
                        .put("requestSubResource", SimpleType.STRING)
                        .put("name", SimpleType.STRING)
                        .put("namespace", SimpleType.STRING)
                        .put("operation", SimpleType.STRING)
                        .put("userInfo", USER)
                        .put("dryRun", SimpleType.BOOL)
                        .put("options", SimpleType.DYN)
                        .buildOrThrow());

        private static StructType struct(String name, ImmutableMap<String, CelType> fields) {
            return StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
        }

        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableSet.of(KIND, RESOURCE, USER, REQUEST);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return types().stream().filter(type -> type.name().equals(name)).findFirst();
        }
    }
}
