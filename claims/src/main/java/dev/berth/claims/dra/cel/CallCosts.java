package dev.berth.claims.dra.cel;

import java.util.Collection;
import java.util.List;

/**
 * What a call costs, by the size of what it is called with: the sums of Kubernetes (its CEL library's CallCost, then
 * cel-go's). Known before the call runs, so that one that costs too much never does. Where that needs more care than
 * Kubernetes takes, more is charged: for lists within lists, for patterns that repeat, and for large arguments.
 */
final class CallCosts {
    private static final double TEXT = 0.1;
    private static final double PATTERN = 0.25;
    private static final int NEW_LIST = 11;

    /** A function that fails writes its arguments into the message. */
    private static final long ARGUMENTS = 100;

    private CallCosts() {}

    static long of(CostPlan.Call call, List<Object> arguments) {
        long cost = cost(call, arguments);
        boolean operator = call.function().startsWith("_") || call.function().startsWith("@");
        boolean copies = call.overload().equals("add_list") && !call.grows();
        if (operator && !copies) {
            return cost;
        }
        return Math.max(cost, arguments.stream().mapToLong(Sizes::whole).sum() / ARGUMENTS);
    }

    private static long cost(CostPlan.Call call, List<Object> arguments) {
        if (arguments.isEmpty()) {
            return 1;
        }
        Object first = arguments.getFirst();
        return switch (call.function()) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> Sizes.traversal(first);
            case "lowerAscii", "upperAscii", "substring", "trim" -> text(Sizes.of(first));
            case "quantity", "isQuantity", "semver", "isSemver" -> text(Sizes.of(first));
            case "url", "cidr", "isIP", "isCIDR" -> text(Sizes.of(first));
            case "ip" -> first instanceof String ? text(Sizes.of(first)) : 1;
            case "ip.isCanonical" -> text(2 * Sizes.of(first));
            case "containsIP", "containsCIDR" -> network(call.function(), first, arguments.get(1));
            case "validate" -> first instanceof NamedFormat format ? steps(arguments.get(1), format.weight()) : 1;
            case "split" -> text(2 * Sizes.of(first));
            case "replace" -> Math.max(text(2 * Sizes.of(first)), text(Sizes.replaced(arguments)));
            case "join" -> text(2 * Sizes.joined(arguments));
            case "matches", "find", "findAll" -> pattern(first, arguments.get(1));
            case "_==_", "_!=_" -> text(Math.min(Sizes.whole(first), Sizes.whole(arguments.get(1))));
            default -> lists(call, arguments);
        };
    }

    private static long lists(CostPlan.Call call, List<Object> arguments) {
        Object first = arguments.getFirst();
        return switch (call.function()) {
            case "lists.range" -> NEW_LIST + (first instanceof Long number ? Math.max(0, number) : 0);
            case "slice" -> NEW_LIST + Sizes.between(arguments.get(1), arguments.getLast());
            case "reverse" -> NEW_LIST + Sizes.of(first);
            case "flatten" -> NEW_LIST + flatten(first, depth(arguments));
            case "distinct", "sort", "lists.@sortByAssociatedKeys" -> NEW_LIST + eachWithEach(arguments.getLast());
            case "sets.contains", "sets.intersects" -> 1 + product(arguments, 1);
            case "sets.equivalent" -> 1 + product(arguments, 2);
            default -> standard(call.overload(), arguments);
        };
    }

    private static long standard(String overload, List<Object> arguments) {
        Object first = arguments.getFirst();
        return switch (overload) {
            case "starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string", "strings_quote" ->
                text(Sizes.of(first));
            case "in_list" -> Sizes.whole(arguments.get(1));
            case "less_string", "less_equals_string", "greater_string", "greater_equals_string" ->
                text(Math.min(Sizes.of(first), Sizes.of(arguments.get(1))));
            case "less_bytes", "less_equals_bytes", "greater_bytes", "greater_equals_bytes" ->
                text(Math.min(Sizes.of(first), Sizes.of(arguments.get(1))));
            case "add_string", "add_bytes" -> text(Sizes.of(first) + Sizes.of(arguments.get(1)));
            case "contains_string" -> text(Sizes.of(first)) * text(Sizes.of(arguments.get(1)));
            default -> 1;
        };
    }

    private static long text(long length) {
        return (long) Math.ceil(length * TEXT);
    }

    /** As many steps as the text is long, for each thing that the pattern may be waiting for. */
    private static long pattern(Object text, Object pattern) {
        return steps(text, pattern instanceof String written ? Patterns.cost(written) : 1);
    }

    private static long steps(Object text, long parts) {
        return text(1 + Sizes.of(text)) * (long) Math.ceil(parts * PATTERN);
    }

    /** The bytes that are compared, and a text must be read first. */
    private static long network(String function, Object network, Object other) {
        int bytes = network instanceof Network known ? known.bytes() : 1;
        return text(2L * bytes)
                + (function.equals("containsCIDR") ? text(bytes) + 1 : 0)
                + (other instanceof String ? text(Sizes.of(other)) : 0);
    }

    private static long flatten(Object list, long depth) {
        return Math.max(Sizes.of(list) * depth, text(depth == 1 ? Sizes.flat(list) : Sizes.whole(list)));
    }

    private static long depth(List<Object> arguments) {
        return arguments.size() > 1 && arguments.get(1) instanceof Long depth ? Math.max(0, Math.min(depth, 64)) : 1;
    }

    private static long eachWithEach(Object list) {
        long size = Sizes.whole(list);
        boolean texts = list instanceof Collection<?> values
                && !values.isEmpty()
                && values.iterator().next() instanceof String;
        return (long) (size * size * (texts ? 2 + TEXT : 2));
    }

    private static long product(List<Object> arguments, int factor) {
        return Sizes.whole(arguments.getFirst()) * Sizes.whole(arguments.get(1)) * factor;
    }
}
