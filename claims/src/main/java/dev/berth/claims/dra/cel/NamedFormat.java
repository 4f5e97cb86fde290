package dev.berth.claims.dra.cel;

import com.google.re2j.Pattern;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A form that texts may have, by the name that Kubernetes gives it.
 *
 * @param weight as how long a pattern it counts
 */
record NamedFormat(String name, int longest, Predicate<String> form, int weight) {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String OLD_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String UUID = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";
    private static final String BASE_64 =
            "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    private static final int LABEL_LENGTH = 63;
    private static final int SUBDOMAIN_LENGTH = 253;
    private static final int QUALIFIED_LENGTH = SUBDOMAIN_LENGTH + 1 + LABEL_LENGTH;
    private static final int ANY = Integer.MAX_VALUE;

    private static final Map<String, NamedFormat> ALL = Stream.of(
                    of("dns1123Label", LABEL_LENGTH, LABEL, 30),
                    of("dns1123Subdomain", SUBDOMAIN_LENGTH, SUBDOMAIN, 60),
                    of("dns1035Label", LABEL_LENGTH, OLD_LABEL, 30),
                    prefix("dns1123LabelPrefix", LABEL_LENGTH, LABEL, 30),
                    prefix("dns1123SubdomainPrefix", SUBDOMAIN_LENGTH, SUBDOMAIN, 60),
                    prefix("dns1035LabelPrefix", LABEL_LENGTH, OLD_LABEL, 30),
                    new NamedFormat("qualifiedName", QUALIFIED_LENGTH, qualified(), 60),
                    of("labelValue", LABEL_LENGTH, "(" + NAME + ")?", 40),
                    new NamedFormat("uri", ANY, text -> Url.parse(text).isPresent(), 1103),
                    of("uuid", ANY, UUID, 70),
                    of("byte", ANY, BASE_64, 84),
                    new NamedFormat("date", ANY, NamedFormat::isDate, 71),
                    new NamedFormat("datetime", ANY, dateTime(), 71))
            .collect(Collectors.toUnmodifiableMap(NamedFormat::name, format -> format));

    static Map<String, NamedFormat> all() {
        return ALL;
    }

    private static NamedFormat of(String name, int longest, String pattern, int weight) {
        return new NamedFormat(name, longest, matching(pattern), weight);
    }

    /** What a name may begin with: a dash at its end will not be the end. */
    private static NamedFormat prefix(String name, int longest, String pattern, int weight) {
        Predicate<String> form = matching(pattern);
        return new NamedFormat(
                name,
                longest,
                text -> form.test(
                        text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text),
                weight);
    }

    private static Predicate<String> matching(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return text -> compiled.matcher(text).matches();
    }

    private static Predicate<String> qualified() {
        Predicate<String> subdomain = matching(SUBDOMAIN);
        Predicate<String> name = matching(NAME);
        return text -> {
            int slash = text.indexOf('/');
            String last = text.substring(slash + 1);
            boolean prefixed = slash < 0 || (slash <= SUBDOMAIN_LENGTH && subdomain.test(text.substring(0, slash)));
            return prefixed && last.length() <= LABEL_LENGTH && name.test(last);
        };
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text, DATE) != null;
        } catch (DateTimeParseException none) {
            return false;
        }
    }

    private static Predicate<String> dateTime() {
        Predicate<String> time = matching(TIME);
        return text -> {
            String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
            return parts.length >= 2 && isDate(parts[0]) && time.test(parts[1]);
        };
    }

    /** What is wrong with a text; nothing where it has the form. */
    List<String> complaints(String text) {
        var all = new ArrayList<String>();
        if (text.length() > longest) {
            all.add("must be no more than %d characters".formatted(longest));
        }
        if (!form.test(text)) {
            all.add("does not have the form " + name);
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamedFormat format && name.equals(format.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
