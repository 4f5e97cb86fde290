package dev.berth.apiserver.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The spellings that Kubernetes allows for names; each method answers with what is wrong, in the server's words. */
final class Names {
    static final String LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    static final String SUBDOMAIN_FORMAT = LABEL_FORMAT + "(\\." + LABEL_FORMAT + ")*";
    private static final String KEY_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String KEY_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

    static final String NOT_A_LABEL = regex(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            LABEL_FORMAT,
            "my-name",
            "123-abc");
    static final String NOT_A_SUBDOMAIN = regex(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
            SUBDOMAIN_FORMAT,
            "example.com");
    private static final String NOT_A_1035_LABEL = regex(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            "my-name",
            "abc-123");
    private static final String NOT_A_KEY = regex(KEY_RULE, KEY_FORMAT, "MyName", "my.name", "123-abc");
    private static final String NOT_A_VALUE = regex(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            "(" + KEY_FORMAT + ")?",
            "MyValue",
            "my_value",
            "12345");
    private static final String NOT_A_CONFIG_KEY = regex(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
            "[-._a-zA-Z0-9]+",
            "key.name",
            "KEY_NAME",
            "key-name");
    private static final String NOT_AN_IDENTIFIER = regex(
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
            "[A-Za-z_][A-Za-z0-9_]*",
            "my_name",
            "MY_NAME",
            "MyName");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Names() {}

    static String regex(String rule, String format, String... examples) {
        var text = new StringBuilder(rule).append(" (");
        if (examples.length > 0) text.append("e.g. ");
        for (int i = 0; i < examples.length; i++) {
            if (i > 0) text.append(" or ");
            text.append('\'').append(examples[i]).append("', ");
        }
        return text.append("regex used for validation is '")
                .append(format)
                .append("')")
                .toString();
    }

    /** The rule that a kind has for its objects' names. */
    @FunctionalInterface
    interface Rule {
        List<String> wrong(String name);
    }

    static List<String> label(String value) {
        if (isLabel(value, 0, value.length()) && value.length() <= 63) return List.of();
        List<String> wrong = new ArrayList<>(2);
        if (value.length() > 63) wrong.add(tooLong(63));
        if (!isLabel(value, 0, value.length())) wrong.add(isSubdomain(value) ? "must not contain dots" : NOT_A_LABEL);
        return wrong;
    }

    static List<String> subdomain(String value) {
        if (isSubdomain(value) && value.length() <= 253) return List.of();
        List<String> wrong = new ArrayList<>(2);
        if (value.length() > 253) wrong.add(tooLong(253));
        if (!isSubdomain(value)) wrong.add(NOT_A_SUBDOMAIN);
        return wrong;
    }

    static List<String> label1035(String value) {
        boolean fits = isLabel(value, 0, value.length()) && Character.isLetter(value.charAt(0));
        if (fits && value.length() <= 63) return List.of();
        List<String> wrong = new ArrayList<>(2);
        if (value.length() > 63) wrong.add(tooLong(63));
        if (!fits) wrong.add(NOT_A_1035_LABEL);
        return wrong;
    }

    static List<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) return List.of("may not be '" + value + "'");
        List<String> wrong = List.of();
        for (String illegal : List.of("/", "%")) {
            if (!value.contains(illegal)) continue;
            if (wrong.isEmpty()) wrong = new ArrayList<>(2);
            wrong.add("may not contain '" + illegal + "'");
        }
        return wrong;
    }

    static List<String> qualified(String value) {
        int slash = value.indexOf('/');
        if (slash != value.lastIndexOf('/'))
            return List.of("a valid label key " + NOT_A_KEY
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        List<String> wrong = List.of();
        if (slash == 0) wrong = with(wrong, "prefix part must be non-empty");
        if (slash > 0 && !(isSubdomain(value.substring(0, slash)) && slash <= 253))
            for (String each : prefix(value.substring(0, slash))) wrong = with(wrong, "prefix part " + each);
        int length = value.length() - slash - 1;
        if (length == 0) wrong = with(wrong, "name part must be non-empty");
        else if (length > 63) wrong = with(wrong, "name part must be no more than 63 bytes");
        if (!isKey(value, slash + 1)) wrong = with(wrong, "name part " + NOT_A_KEY);
        return wrong;
    }

    private static List<String> prefix(String value) {
        List<String> wrong = List.of();
        if (value.length() > 253) wrong = with(wrong, "must be no more than 253 bytes");
        return isSubdomain(value) ? wrong : with(wrong, NOT_A_SUBDOMAIN);
    }

    static List<String> labelValue(String value) {
        if (value.isEmpty()) return List.of();
        List<String> wrong = value.length() > 63 ? List.of("must be no more than 63 bytes") : List.of();
        return isKey(value, 0) ? wrong : with(wrong, NOT_A_VALUE);
    }

    static List<String> configKey(String value) {
        List<String> wrong = value.length() > 253 ? List.of(tooLong(253)) : List.of();
        boolean fits = !value.isEmpty();
        for (int i = 0; i < value.length() && fits; i++) fits = isKeyPart(value.charAt(i));
        if (!fits) wrong = with(wrong, NOT_A_CONFIG_KEY);
        return upward(value).isEmpty() ? wrong : with(wrong, upward(value));
    }

    /** The complaint about names that walk up a directory, or nothing. */
    static String upward(String value) {
        if (value.equals(".")) return "must not be '.'";
        if (value.equals("..")) return "must not be '..'";
        return value.startsWith("..") ? "must not start with '..'" : "";
    }

    static List<String> identifier(String value) {
        return IDENTIFIER.matcher(value).matches() ? List.of() : List.of(NOT_AN_IDENTIFIER);
    }

    static List<String> portName(String value) {
        List<String> wrong = value.length() > 15 ? List.of(tooLong(15)) : List.of();
        boolean charset = !value.isEmpty();
        boolean letter = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            letter |= c >= 'a' && c <= 'z';
            charset &= c == '-' || isLowerOrDigit(c);
        }
        if (!charset) wrong = with(wrong, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        if (!letter) wrong = with(wrong, "must contain at least one letter (a-z)");
        if (value.contains("--")) wrong = with(wrong, "must not contain consecutive hyphens");
        if (value.startsWith("-") || value.endsWith("-")) wrong = with(wrong, "must not begin or end with a hyphen");
        return wrong;
    }

    static String tooLong(int characters) {
        return "must be no more than " + characters + " characters";
    }

    private static List<String> with(List<String> wrong, String more) {
        List<String> all = new ArrayList<>(wrong);
        all.add(more);
        return all;
    }

    static boolean isSubdomain(String value) {
        int start = 0;
        for (int dot = value.indexOf('.'); dot >= 0; dot = value.indexOf('.', start)) {
            if (!isLabel(value, start, dot)) return false;
            start = dot + 1;
        }
        return isLabel(value, start, value.length());
    }

    private static boolean isLabel(String value, int from, int to) {
        if (from >= to || !isLowerOrDigit(value.charAt(from)) || !isLowerOrDigit(value.charAt(to - 1))) return false;
        for (int i = from; i < to; i++) if (value.charAt(i) != '-' && !isLowerOrDigit(value.charAt(i))) return false;
        return true;
    }

    private static boolean isKey(String value, int from) {
        int to = value.length();
        if (from >= to || !isLetterOrDigit(value.charAt(from)) || !isLetterOrDigit(value.charAt(to - 1))) return false;
        for (int i = from; i < to; i++) if (!isKeyPart(value.charAt(i))) return false;
        return true;
    }

    private static boolean isKeyPart(char c) {
        return isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
    }

    private static boolean isLetterOrDigit(char c) {
        return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isLowerOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }
}
