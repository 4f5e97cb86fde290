package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSONPath of printer columns: fields, quoted fields, indices, ranges, wildcards and simple filters. What it cannot
 * read finds nothing.
 */
final class JsonPath {
    private static final Pattern FILTER =
            Pattern.compile("\\?\\(\\s*@\\.?([^=!<>]*?)\\s*(==|!=|<=|>=|<|>)\\s*(.+?)\\s*\\)");
    private static final Pattern EXISTS = Pattern.compile("\\?\\(\\s*@\\.([^=!<>]+?)\\s*\\)");
    private static final Pattern RANGE = Pattern.compile("(-?\\d*)\\s*:\\s*(-?\\d*)(?:\\s*:\\s*(\\d*))?");

    private final List<UnaryOperator<List<JsonNode>>> steps = new ArrayList<>();

    private JsonPath() {}

    static JsonPath of(String path) {
        String text = path.strip();
        if (text.startsWith("{") && text.endsWith("}")) text = text.substring(1, text.length() - 1);
        if (text.startsWith("$")) text = text.substring(1);
        JsonPath parsed = new JsonPath();
        parsed.parse(text);
        return parsed;
    }

    List<JsonNode> find(JsonNode root) {
        List<JsonNode> found = List.of(root);
        for (var step : steps) found = step.apply(found);
        return found;
    }

    private void parse(String text) {
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '[') {
                int end = closing(text, at);
                steps.add(bracket(text.substring(at + 1, end).strip()));
                at = end + 1;
            } else {
                int start = c == '.' ? at + 1 : at;
                StringBuilder name = new StringBuilder();
                at = start;
                while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
                    if (text.charAt(at) == '\\' && at + 1 < text.length()) at++;
                    name.append(text.charAt(at++));
                }
                String field = name.toString();
                if (field.equals("*")) steps.add(JsonPath::children);
                else if (!field.isEmpty()) steps.add(nodes -> fields(nodes, field));
            }
        }
    }

    private static int closing(String text, int open) {
        char quote = 0;
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                if (c == quote) quote = 0;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && --depth == 0) {
                return i;
            }
        }
        return text.length() - 1;
    }

    private static UnaryOperator<List<JsonNode>> bracket(String inside) {
        if (inside.equals("*")) return JsonPath::children;
        if (inside.startsWith("'") || inside.startsWith("\"")) {
            String field = inside.substring(1, inside.length() - 1);
            return nodes -> fields(nodes, field);
        }
        Matcher filter = FILTER.matcher(inside);
        if (filter.matches()) {
            JsonPath left = of("." + filter.group(1));
            String operator = filter.group(2);
            String right = unquoted(filter.group(3));
            return nodes -> children(nodes).stream()
                    .filter(node ->
                            left.find(node).stream().anyMatch(found -> compares(found.asText(), operator, right)))
                    .toList();
        }
        Matcher exists = EXISTS.matcher(inside);
        if (exists.matches()) {
            JsonPath path = of("." + exists.group(1));
            return nodes -> children(nodes).stream()
                    .filter(node -> !path.find(node).isEmpty())
                    .toList();
        }
        Matcher range = RANGE.matcher(inside);
        if (range.matches())
            return nodes -> range(nodes, number(range.group(1), 0), number(range.group(2), Integer.MAX_VALUE));
        if (inside.matches("-?\\d{1,9}")) {
            int index = Integer.parseInt(inside);
            return nodes -> range(nodes, index, index == -1 ? Integer.MAX_VALUE : index + 1);
        }
        return _ -> List.of();
    }

    private static String unquoted(String literal) {
        boolean quoted = literal.length() > 1 && (literal.startsWith("\"") || literal.startsWith("'"));
        return quoted ? literal.substring(1, literal.length() - 1) : literal;
    }

    private static boolean compares(String left, String operator, String right) {
        int order = order(left, right);
        return switch (operator) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private static int order(String left, String right) {
        try {
            return Double.compare(Double.parseDouble(left), Double.parseDouble(right));
        } catch (NumberFormatException _) {
            return left.compareTo(right);
        }
    }

    private static int number(String digits, int otherwise) {
        return digits == null || digits.isEmpty() ? otherwise : Integer.parseInt(digits);
    }

    private static List<JsonNode> fields(List<JsonNode> nodes, String field) {
        return nodes.stream()
                .filter(node -> node.has(field))
                .map(node -> node.get(field))
                .toList();
    }

    private static List<JsonNode> children(List<JsonNode> nodes) {
        List<JsonNode> all = new ArrayList<>();
        nodes.forEach(node -> node.forEach(all::add));
        return all;
    }

    private static List<JsonNode> range(List<JsonNode> nodes, int from, int to) {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode node : nodes) {
            int first = Math.max(0, from < 0 ? node.size() + from : from);
            int last = Math.min(node.size(), to < 0 ? node.size() + to : to);
            for (int i = first; i < last; i++) all.add(node.get(i));
        }
        return all;
    }
}
