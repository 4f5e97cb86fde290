package dev.berth.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a PromQL expression asks for: enough of the language to tell metrics from functions and labels, and to refuse
 * what it does not know.
 *
 * @param metrics each with the labels that it is selected by
 * @param grouped the labels of by, without, on and their like
 */
record PromQuery(Map<String, Set<String>> metrics, Set<String> grouped) {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<text>\"(?:[^\"\\\\]|\\\\.)*\")|(?<range>\\[[^\\]]*\\])|(?<number>[0-9][0-9.a-z]*)|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^=<>(){},]))");
    private static final Pattern RANGE = Pattern.compile("\\[([0-9]+[smhd]|\\$__rate_interval)]");
    private static final Set<String> LISTS = Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool");
    private static final Set<String> FUNCTIONS = Set.of(
            "sum",
            "min",
            "max",
            "avg",
            "count",
            "rate",
            "increase",
            "changes",
            "histogram_quantile",
            "vector",
            "min_over_time",
            "max_over_time",
            "avg_over_time",
            "absent",
            "clamp_max");

    /** @throws IllegalArgumentException naming what cannot be understood */
    static PromQuery parse(String expression) {
        return new Reader(expression).read();
    }

    /** One expression, token by token. */
    private static final class Reader {
        private final String expression;
        private final List<String> tokens = new ArrayList<>();
        private final Map<String, Set<String>> metrics = new TreeMap<>();
        private final Set<String> grouped = new TreeSet<>();
        private int at;

        Reader(String expression) {
            this.expression = expression;
            var matcher = TOKEN.matcher(expression);
            int end = 0;
            while (end < expression.stripTrailing().length()) {
                if (!matcher.find(end) || matcher.start() != end) throw bad("cannot be read from " + end);
                end = matcher.end();
                var token = matcher.group().strip();
                if (matcher.group("range") == null) tokens.add(token);
                else if (!RANGE.matcher(token).matches()) throw bad("no range: " + token);
            }
        }

        private IllegalArgumentException bad(String why) {
            return new IllegalArgumentException("%s in: %s".formatted(why, expression));
        }

        private String peek() {
            return at < tokens.size() ? tokens.get(at) : "";
        }

        private String next() {
            if (at == tokens.size()) throw bad("it ends too early");
            return tokens.get(at++);
        }

        private void expect(String token) {
            var found = next();
            if (!found.equals(token)) throw bad("'%s' instead of '%s'".formatted(found, token));
        }

        PromQuery read() {
            Deque<String> open = new ArrayDeque<>();
            while (at < tokens.size()) {
                var token = next();
                if (token.equals("(")) open.push(token);
                else if (token.equals(")")) {
                    if (open.isEmpty()) throw bad("a bracket closes that was not open");
                    open.pop();
                } else if (token.equals("{")) throw bad("labels of no metric");
                else if (Character.isLetter(token.charAt(0)) || token.charAt(0) == '_') word(token);
            }
            if (!open.isEmpty()) throw bad("a bracket stays open");
            return new PromQuery(metrics, grouped);
        }

        private void word(String word) {
            if (LISTS.contains(word)) {
                if (peek().equals("(")) grouped.addAll(labels());
            } else if (FUNCTIONS.contains(word)) {
                if (!peek().equals("(") && !LISTS.contains(peek())) throw bad(word + " of nothing");
            } else if (!OPERATORS.contains(word)) {
                if (peek().equals("(")) throw bad("no function is called " + word);
                var selected = metrics.computeIfAbsent(word, _ -> new TreeSet<>());
                if (peek().equals("{")) selected.addAll(matchers());
            }
        }

        private List<String> labels() {
            var labels = new ArrayList<String>();
            expect("(");
            while (!peek().equals(")")) {
                labels.add(next());
                if (!peek().equals(")")) expect(",");
            }
            expect(")");
            return labels;
        }

        private List<String> matchers() {
            var labels = new ArrayList<String>();
            expect("{");
            while (!peek().equals("}")) {
                labels.add(next());
                if (!Set.of("=", "!=", "=~", "!~").contains(next())) throw bad("no comparison");
                if (!next().startsWith("\"")) throw bad("a label is compared with no text");
                if (!peek().equals("}")) expect(",");
            }
            expect("}");
            return labels;
        }
    }
}
