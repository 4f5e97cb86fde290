package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code app=web,tier in (a,b),!old}: which labels an object must have. */
final class LabelSelector {
    static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT,
        GREATER,
        LESS
    }

    private record Requirement(String key, Operator operator, Set<String> values) {
        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case GREATER -> value != null && compare(value) > 0;
                case LESS -> value != null && compare(value) < 0;
            };
        }

        private int compare(String value) {
            try {
                return Long.compare(
                        Long.parseLong(value), Long.parseLong(values.iterator().next()));
            } catch (NumberFormatException _) {
                return 0;
            }
        }
    }

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    boolean isEverything() {
        return requirements.isEmpty();
    }

    boolean matches(Map<String, String> labels) {
        for (Requirement each : requirements) if (!each.matches(labels)) return false;
        return true;
    }

    static LabelSelector of(Map<String, String> equal) {
        List<Requirement> all = new ArrayList<>();
        equal.forEach((key, value) -> all.add(new Requirement(key, Operator.IN, Set.of(value))));
        return new LabelSelector(all);
    }

    static LabelSelector parse(String text) {
        return text.isEmpty() ? EVERYTHING : new LabelSelector(new Parser(text).parse());
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Requirement> parse() {
            List<Requirement> all = new ArrayList<>();
            if (peek().isEmpty()) return all;
            while (true) {
                all.add(requirement());
                String token = next();
                if (token.isEmpty()) return all;
                if (!token.equals(",")) {
                    throw ApiException.badRequest("found '%s', expected: ',' or 'end of string'".formatted(token));
                }
                String following = peek();
                if (following.isEmpty() || following.equals(",")) {
                    throw ApiException.badRequest("found '%s', expected: identifier after ','".formatted(following));
                }
            }
        }

        private Requirement requirement() {
            String token = next();
            boolean absent = token.equals("!");
            String key = absent ? next() : token;
            if (key.isEmpty() || isSymbol(key)) throw wrong("found '%s', expected: identifier", key);
            LabelSyntax.checkKey(key);
            if (absent) return new Requirement(key, Operator.ABSENT, Set.of());
            String operator = peek();
            if (operator.isEmpty() || operator.equals(",")) return new Requirement(key, Operator.EXISTS, Set.of());
            next();
            return switch (operator) {
                case "=", "==" -> new Requirement(key, Operator.IN, checked(key, value()));
                case "!=" -> new Requirement(key, Operator.NOT_IN, checked(key, value()));
                case "in" -> new Requirement(key, Operator.IN, checked(key, values()));
                case "notin" -> new Requirement(key, Operator.NOT_IN, checked(key, values()));
                case ">", "gt" -> new Requirement(key, Operator.GREATER, number(value()));
                case "<", "lt" -> new Requirement(key, Operator.LESS, number(value()));
                default -> throw wrong("found '%s', expected: in, notin, =, ==, !=, gt, lt", operator);
            };
        }

        private static Set<String> checked(String key, Set<String> values) {
            for (String value : values) LabelSyntax.checkValue(key, value);
            return values;
        }

        private static Set<String> number(Set<String> values) {
            try {
                Long.parseLong(values.iterator().next());
                return values;
            } catch (NumberFormatException _) {
                throw ApiException.badRequest(
                        "values[0]: Invalid value: \"%s\": for 'Gt', 'Lt' operators, the value must be an integer"
                                .formatted(values.iterator().next()));
            }
        }

        private Set<String> value() {
            String token = peek();
            if (token.isEmpty() || token.equals(",")) return Set.of("");
            return Set.of(next());
        }

        private Set<String> values() {
            String open = next();
            if (!open.equals("(")) throw wrong("found '%s' expected: '('", open);
            Set<String> values = new TreeSet<>();
            boolean wanted = true;
            while (true) {
                String token = next();
                switch (token) {
                    case ")" -> {
                        if (wanted) values.add("");
                        return values;
                    }
                    case "," -> {
                        if (wanted) values.add("");
                        wanted = true;
                    }
                    case "" -> throw wrong("found '%s', expected: ',' or ')'", token);
                    default -> {
                        if (!wanted) throw wrong("found '%s', expected: ',' or ')'", token);
                        values.add(token);
                        wanted = false;
                    }
                }
            }
        }

        private String peek() {
            int before = at;
            String token = next();
            at = before;
            return token;
        }

        private String next() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
            if (at == text.length()) return "";
            int start = at;
            char first = text.charAt(at++);
            if (isSymbol(first)) {
                if ((first == '=' || first == '!') && at < text.length() && text.charAt(at) == '=') at++;
                return text.substring(start, at);
            }
            while (at < text.length() && !isSymbol(text.charAt(at)) && !Character.isWhitespace(text.charAt(at))) at++;
            return text.substring(start, at);
        }

        private static boolean isSymbol(String token) {
            return isSymbol(token.charAt(0));
        }

        private static boolean isSymbol(char each) {
            return "=!(),<>".indexOf(each) >= 0;
        }

        private static ApiException wrong(String format, String token) {
            return ApiException.badRequest("unable to parse requirement: " + format.formatted(token));
        }
    }
}
