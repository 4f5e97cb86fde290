package dev.berth.claims.dra.cel;

import dev.berth.core.Quantity;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What Kubernetes adds to CEL for quantities, versions, lists and patterns, and DRA for attributes with many values.
 */
final class KubernetesFunctions {
    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final CelType VERSION = OpaqueType.create("kubernetes.Semver");

    /** As many values as one device may have in all its lists. */
    private static final int LONGEST_ATTRIBUTE = 48;

    private static final CelType TEXTS = ListType.create(SimpleType.STRING);
    private static final CelType ANYTHING = ListType.create(SimpleType.DYN);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal SMALLEST = BigDecimal.valueOf(Long.MIN_VALUE);

    private KubernetesFunctions() {}

    static Functions all() {
        var functions = new Functions();
        quantities(functions);
        versions(functions);
        lists(functions);
        patterns(functions);
        NetworkFunctions.addTo(functions);
        functions.member(
                "format",
                SimpleType.STRING,
                List.of(SimpleType.STRING, ANYTHING),
                String.class,
                List.class,
                TextFormat::format);
        functions.member(
                "includes",
                SimpleType.BOOL,
                List.of(SimpleType.DYN, SimpleType.DYN),
                Object.class,
                Object.class,
                KubernetesFunctions::includes);
        return functions;
    }

    private static void quantities(Functions functions) {
        functions
                .global("quantity", QUANTITY, SimpleType.STRING, String.class, Quantity::parse)
                .global("isQuantity", SimpleType.BOOL, SimpleType.STRING, String.class, KubernetesFunctions::isQuantity)
                .member("sign", SimpleType.INT, QUANTITY, Quantity.class, KubernetesFunctions::sign)
                .member("isInteger", SimpleType.BOOL, QUANTITY, Quantity.class, KubernetesFunctions::isInteger)
                .member("asInteger", SimpleType.INT, QUANTITY, Quantity.class, KubernetesFunctions::asInteger)
                .member(
                        "asApproximateFloat",
                        SimpleType.DOUBLE,
                        QUANTITY,
                        Quantity.class,
                        amount -> amount.value().doubleValue());
        var two = List.of(QUANTITY, QUANTITY);
        functions
                .member("add", QUANTITY, two, Quantity.class, Quantity.class, Quantity::plus)
                .member("sub", QUANTITY, two, Quantity.class, Quantity.class, Quantity::minus)
                .member("compareTo", SimpleType.INT, two, Quantity.class, Quantity.class, KubernetesFunctions::compare)
                .member("isLessThan", SimpleType.BOOL, two, Quantity.class, Quantity.class, (a, b) -> compare(a, b) < 0)
                .member(
                        "isGreaterThan",
                        SimpleType.BOOL,
                        two,
                        Quantity.class,
                        Quantity.class,
                        (a, b) -> compare(a, b) > 0);
        var number = List.of(QUANTITY, SimpleType.INT);
        functions
                .member("add", QUANTITY, number, Quantity.class, Long.class, (a, b) -> a.plus(Quantity.of(b)))
                .member("sub", QUANTITY, number, Quantity.class, Long.class, (a, b) -> a.minus(Quantity.of(b)));
    }

    private static long sign(Quantity amount) {
        return amount.value().signum();
    }

    private static boolean isQuantity(String text) {
        try {
            return Quantity.parse(text) != null;
        } catch (IllegalArgumentException notOne) {
            return false;
        }
    }

    private static boolean isInteger(Quantity amount) {
        return amount.value().scale() <= 0
                && amount.value().compareTo(LARGEST) <= 0
                && amount.value().compareTo(SMALLEST) >= 0;
    }

    private static long asInteger(Quantity amount) {
        if (!isInteger(amount)) {
            throw new IllegalArgumentException("%s is not an integer".formatted(amount));
        }
        return amount.value().longValueExact();
    }

    private static void versions(Functions functions) {
        var forgiving = List.<CelType>of(SimpleType.STRING, SimpleType.BOOL);
        functions
                .global("semver", VERSION, SimpleType.STRING, String.class, text -> version(text, false))
                .global("semver", VERSION, forgiving, String.class, Boolean.class, KubernetesFunctions::version)
                .global(
                        "isSemver",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Version.parse(text).isPresent())
                .global(
                        "isSemver",
                        SimpleType.BOOL,
                        forgiving,
                        String.class,
                        Boolean.class,
                        (text, loose) -> parse(text, loose).isPresent())
                .member(
                        "major",
                        SimpleType.INT,
                        VERSION,
                        Version.class,
                        version -> version.major().longValueExact())
                .member(
                        "minor",
                        SimpleType.INT,
                        VERSION,
                        Version.class,
                        version -> version.minor().longValueExact())
                .member(
                        "patch",
                        SimpleType.INT,
                        VERSION,
                        Version.class,
                        version -> version.patch().longValueExact());
        var two = List.of(VERSION, VERSION);
        functions
                .member("compareTo", SimpleType.INT, two, Version.class, Version.class, KubernetesFunctions::compare)
                .member("isLessThan", SimpleType.BOOL, two, Version.class, Version.class, (a, b) -> compare(a, b) < 0)
                .member(
                        "isGreaterThan",
                        SimpleType.BOOL,
                        two,
                        Version.class,
                        Version.class,
                        (a, b) -> compare(a, b) > 0);
    }

    private static Optional<Version> parse(String text, boolean forgiving) {
        return forgiving ? Version.normalized(text) : Version.parse(text);
    }

    private static Version version(String text, boolean forgiving) {
        return parse(text, forgiving)
                .orElseThrow(() -> new IllegalArgumentException("not a semantic version: '%s'".formatted(text)));
    }

    private static <T extends Comparable<T>> long compare(T one, T other) {
        return Integer.signum(one.compareTo(other));
    }

    private static void lists(Functions functions) {
        functions
                .member("isSorted", SimpleType.BOOL, ANYTHING, List.class, KubernetesFunctions::isSorted)
                .member("sum", SimpleType.DYN, ANYTHING, List.class, KubernetesFunctions::sum)
                .member("min", SimpleType.DYN, ANYTHING, List.class, list -> extreme(list, Comparator.naturalOrder()))
                .member("max", SimpleType.DYN, ANYTHING, List.class, list -> extreme(list, Comparator.reverseOrder()));
        var two = List.of(ANYTHING, SimpleType.DYN);
        functions
                .member("indexOf", SimpleType.INT, two, List.class, Object.class, (list, value) ->
                        (long) list.indexOf(value))
                .member("lastIndexOf", SimpleType.INT, two, List.class, Object.class, (list, value) ->
                        (long) list.lastIndexOf(value));
    }

    @SuppressWarnings("unchecked") // a list that mixes types fails here, as it does in Kubernetes
    private static boolean isSorted(List<?> list) {
        for (int index = 1; index < list.size(); index++) {
            if (((Comparable<Object>) list.get(index - 1)).compareTo(list.get(index)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object sum(List<?> list) {
        if (list.stream().anyMatch(Double.class::isInstance)) {
            return list.stream()
                    .mapToDouble(each -> ((Number) each).doubleValue())
                    .sum();
        }
        return list.stream().mapToLong(each -> ((Number) each).longValue()).reduce(0, Math::addExact);
    }

    @SuppressWarnings("unchecked") // as above
    private static Object extreme(List<?> list, Comparator<Comparable<Object>> order) {
        return ((List<Comparable<Object>>) list)
                .stream()
                        .min(order)
                        .orElseThrow(() -> new IllegalArgumentException("min and max need a list with values"));
    }

    private static void patterns(Functions functions) {
        var two = List.<CelType>of(SimpleType.STRING, SimpleType.STRING);
        functions
                .member("find", SimpleType.STRING, two, String.class, String.class, Patterns::find)
                .member("findAll", TEXTS, two, String.class, String.class, Patterns::findAll);
    }

    /** One value is among those of an attribute, whether it has one or many. */
    private static boolean includes(Object target, Object wanted) {
        if (!(target instanceof Collection<?> values)) {
            return target.equals(wanted);
        }
        if (values.size() > LONGEST_ATTRIBUTE) {
            throw new IllegalArgumentException(
                    "includes cannot be applied to lists longer than %d values".formatted(LONGEST_ATTRIBUTE));
        }
        return values.contains(wanted);
    }
}
