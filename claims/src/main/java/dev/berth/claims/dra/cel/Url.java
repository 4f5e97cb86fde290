package dev.berth.claims.dra.cel;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL as Kubernetes reads it (Go's net/url), which takes more than {@link java.net.URI} does: spaces in a path, for
 * one. It is absolute, or an absolute path.
 */
record Url(String scheme, String user, String host, String escapedPath, String rawQuery, String fragment) {
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:~!$&'()*+,;=%@-]*");
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:<>\"-]|%[89A-Fa-f][0-9A-Fa-f]|%25|[^\\x00-\\x7f])*");
    private static final Pattern LITERAL = Pattern.compile("\\[([^%\\]]*)(%25[^\\]]+)?\\]((?::[0-9]*)?)");
    private static final Pattern PORT = Pattern.compile(":[0-9]*");
    private static final Pattern ESCAPED_PATH = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@/\\[\\]%-]*");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~$&+,;=:@/-]");

    static Optional<Url> parse(String text) {
        int hash = text.indexOf('#');
        String before = hash < 0 ? text : text.substring(0, hash);
        String fragment = hash < 0 ? "" : text.substring(hash + 1);
        if (before.isEmpty()
                || CONTROL.matcher(text).find()
                || BAD_ESCAPE.matcher(fragment).find()) {
            return Optional.empty();
        }
        Matcher schemed = SCHEME.matcher(before);
        boolean absolute = schemed.matches();
        String scheme = absolute ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
        String rest = absolute ? schemed.group(2) : before;
        int mark = rest.indexOf('?');
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        String path = mark < 0 ? rest : rest.substring(0, mark);
        if (before.equals("*")) {
            return Optional.of(new Url("", "", "", "*", "", fragment));
        }
        if (!path.startsWith("/")) {
            // What has a scheme and no slash is opaque, as in mailto:someone.
            return absolute ? Optional.of(new Url(scheme, "", "", "", query, fragment)) : Optional.empty();
        }
        boolean hosted = absolute && path.startsWith("//");
        int slash = hosted ? path.indexOf('/', 2) : 0;
        String authority = !hosted ? "" : path.substring(2, slash < 0 ? path.length() : slash);
        String after = slash < 0 ? "" : path.substring(slash);
        int at = authority.lastIndexOf('@');
        String user = at < 0 ? "" : authority.substring(0, at);
        String host = authority.substring(at + 1);
        boolean sound = USER.matcher(user).matches()
                && !BAD_ESCAPE.matcher(user).find()
                && isHost(scheme, host)
                && !BAD_ESCAPE.matcher(after).find();
        return sound ? Optional.of(new Url(scheme, user, host, escaped(after), query, fragment)) : Optional.empty();
    }

    private static boolean isHost(String scheme, String host) {
        if (host.contains("[")) {
            Matcher literal = LITERAL.matcher(host);
            return literal.matches() && isVersion6(literal.group(1));
        }
        boolean strict = scheme.equals("http") || scheme.equals("https");
        int colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
        return NAME.matcher(host).matches()
                && (colon < 0 || PORT.matcher(host.substring(colon)).matches());
    }

    private static boolean isVersion6(String text) {
        String plain = text.toLowerCase(Locale.ROOT).startsWith("::ffff:") ? "::" + text.substring(7) : text;
        return Address.parse(plain).map(address -> address.family() == 6).orElse(false);
    }

    private static String escaped(String path) {
        if (ESCAPED_PATH.matcher(path).matches()) {
            return path;
        }
        var written = new StringBuilder();
        for (byte each : decoded(path.replace("+", "%2B")).getBytes(StandardCharsets.UTF_8)) {
            String letter = String.valueOf((char) (each & 0xff));
            written.append(PLAIN.matcher(letter).matches() ? letter : "%%%02X".formatted(each));
        }
        return written.toString();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    String hostname() {
        String bare =
                port().isEmpty() && !host.endsWith(":") ? host : host.substring(0, host.length() - port().length() - 1);
        return bare.startsWith("[") ? bare.substring(1, bare.length() - 1) : bare;
    }

    String port() {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "";
    }

    /** The values of each name; what is not well-formed is passed over. */
    Map<String, List<String>> query() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String part : rawQuery.split("&", -1)) {
            if (!part.isEmpty()
                    && !part.contains(";")
                    && !BAD_ESCAPE.matcher(part).find()) {
                int equals = part.indexOf('=');
                String name = equals < 0 ? part : part.substring(0, equals);
                all.computeIfAbsent(decoded(name), _ -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
        return all;
    }
}
