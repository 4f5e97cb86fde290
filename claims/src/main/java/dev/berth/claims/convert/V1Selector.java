package dev.berth.claims.convert;

import dev.berth.claims.cel.Syntax;
import dev.berth.core.Attribute;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Constraints as a selector of {@code resource.k8s.io/v1} over the devices of one driver: there attributes live under
 * their domain, quantities among the capacities, and an attribute that is not there is an error instead of a no.
 */
final class V1Selector {
    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("_==_", "=="),
            Map.entry("_!=_", "!="),
            Map.entry("_<_", "<"),
            Map.entry("_<=_", "<="),
            Map.entry("_>_", ">"),
            Map.entry("_>=_", ">="),
            Map.entry("_&&_", "&&"),
            Map.entry("_||_", "||"),
            Map.entry("_+_", "+"),
            Map.entry("_-_", "-"),
            Map.entry("@in", "in"));
    private static final Set<String> COMPARISONS = Set.of("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_");
    private static final Set<String> METHODS = Set.of("startsWith", "endsWith", "contains", "matches", "size");

    private final String driver;
    private final Map<String, Attribute> known;
    private final Set<String> guards = new TreeSet<>();

    /** @param known an example of each attribute that devices of the driver have, for its type */
    V1Selector(String driver, Map<String, Attribute> known) {
        this.driver = driver;
        this.known = known;
    }

    String of(String constraints) throws NoWordException {
        CelExpr expression = Syntax.parse(constraints);
        String text = text(expression);
        return guards.isEmpty() ? text : String.join(" && ", guards) + " && (" + text + ")";
    }

    private String text(CelExpr expression) throws NoWordException {
        return switch (expression.getKind()) {
            case CONSTANT -> constant(expression.constant());
            case SELECT -> select(expression);
            case CALL -> call(expression.call());
            case LIST -> "[" + all(expression.list().elements(), ", ") + "]";
            case IDENT, MAP, STRUCT, COMPREHENSION, NOT_SET ->
                throw new NoWordException("a selector cannot look at a device's attributes as a whole");
        };
    }

    private String all(List<CelExpr> expressions, String between) throws NoWordException {
        var texts = new ArrayList<String>();
        for (CelExpr each : expressions) {
            texts.add(text(each));
        }
        return String.join(between, texts);
    }

    private String select(CelExpr expression) throws NoWordException {
        var select = expression.select();
        if (!isDevice(select.operand())) {
            throw new NoWordException("attributes have no fields: " + select.field());
        }
        return select.testOnly() ? "has(" + place(select.field()) + ")" : attribute(select.field());
    }

    private String call(CelExpr.CelCall call) throws NoWordException {
        if (call.function().equals("_[_]") && isDevice(call.args().getFirst())) {
            return attribute(name(call.args().get(1)));
        }
        if (call.function().equals("@in") && isDevice(call.args().get(1))) {
            return "has(" + place(name(call.args().getFirst())) + ")";
        }
        if (call.function().equals("!_")) {
            return "!(" + text(call.args().getFirst()) + ")";
        }
        if (COMPARISONS.contains(call.function())) {
            return comparison(call);
        }
        if (METHODS.contains(call.function()) && call.target().isPresent()) {
            return text(call.target().get()) + "." + call.function() + "(" + all(call.args(), ", ") + ")";
        }
        String operator = OPERATORS.get(call.function());
        if (operator == null) {
            throw new NoWordException("a selector has no word for " + call.function());
        }
        return "(" + all(call.args(), " " + operator + " ") + ")";
    }

    /** Quantities and versions are compared by a method there. */
    private String comparison(CelExpr.CelCall call) throws NoWordException {
        CelExpr left = call.args().getFirst();
        CelExpr right = call.args().get(1);
        String operator = OPERATORS.getOrDefault(call.function(), "==");
        String maker = maker(left);
        if (!maker.isEmpty()) {
            return "(%s.compareTo(%s) %s 0)".formatted(text(left), made(maker, right), operator);
        }
        maker = maker(right);
        if (!maker.isEmpty()) {
            return "(0 %s %s.compareTo(%s))".formatted(operator, text(right), made(maker, left));
        }
        return "(%s %s %s)".formatted(text(left), operator, text(right));
    }

    private String made(String maker, CelExpr value) throws NoWordException {
        return maker(value).isEmpty() ? maker + "(" + text(value) + ")" : text(value);
    }

    /** What makes a value that an attribute can be compared with; empty where a plain one will do. */
    private String maker(CelExpr expression) throws NoWordException {
        String name = "";
        if (expression.getKind() == CelExpr.ExprKind.Kind.SELECT
                && isDevice(expression.select().operand())) {
            name = expression.select().field();
        } else if (expression.getKind() == CelExpr.ExprKind.Kind.CALL
                && expression.call().function().equals("_[_]")
                && isDevice(expression.call().args().getFirst())) {
            name = name(expression.call().args().get(1));
        }
        Attribute example = known.get(name);
        if (example instanceof Attribute.Amount) {
            return "quantity";
        }
        return example instanceof Attribute.Version ? "semver" : "";
    }

    private String attribute(String name) {
        guards.add("has(" + place(name) + ")");
        return place(name);
    }

    private String place(String name) {
        var qualified = V1Names.attribute(driver, name);
        String map = known.get(name) instanceof Attribute.Amount ? "capacity" : "attributes";
        return "device.%s[%s].%s".formatted(map, quoted(qualified.domain()), qualified.identifier());
    }

    private static boolean isDevice(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                && expression.ident().name().equals("device");
    }

    private static String name(CelExpr expression) throws NoWordException {
        if (expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE) {
            return expression.constant().stringValue();
        }
        throw new NoWordException("a selector cannot compute the name of an attribute");
    }

    private static String constant(CelConstant constant) throws NoWordException {
        return switch (constant.getKind()) {
            case STRING_VALUE -> quoted(constant.stringValue());
            case INT64_VALUE -> Long.toString(constant.int64Value());
            case DOUBLE_VALUE -> Double.toString(constant.doubleValue());
            case BOOLEAN_VALUE -> Boolean.toString(constant.booleanValue());
            default -> throw new NoWordException("a selector has no word for the constant " + constant);
        };
    }

    static String quoted(String text) {
        return text.chars()
                .mapToObj(each -> each == '"' || each == '\\'
                        ? "\\" + (char) each
                        : each < ' ' ? "\\u%04x".formatted(each) : String.valueOf((char) each))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
