package dev.berth.apiserver.kinds;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/** The formats of strings that schemas name; those that are not known here hold anything. */
final class Formats {
    private static final Pattern IPV4 = Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9a-fA-F:.]{2,45}(%\\w+)?");
    private static final Pattern UUID =
            Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
    private static final Pattern MAC = Pattern.compile("(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s]+");
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:|/)\\S*");
    private static final Pattern HOSTNAME = Pattern.compile(
            "(?=.{1,253}$)([a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?)(\\.[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?)*");
    private static final Pattern DURATION =
            Pattern.compile("[+-]?((\\d+(\\.\\d*)?|\\.\\d+) ?(ns|us|µs|ms|[smhdw]) ?)+|0");

    private Formats() {}

    static boolean matches(String format, String text) {
        return switch (format) {
            case "date-time", "datetime" -> FieldCheck.isTime(text);
            case "date" -> isDate(text);
            case "byte" -> FieldCheck.illegalBase64(text) < 0;
            case "ipv4" -> IPV4.matcher(text).matches();
            case "ipv6" -> IPV6.matcher(text).matches();
            case "cidr" -> isCidr(text);
            case "uuid", "uuid3", "uuid4", "uuid5" -> UUID.matcher(text).matches();
            case "mac" -> MAC.matcher(text).matches();
            case "email" -> EMAIL.matcher(text).matches();
            case "uri" -> URI.matcher(text).matches();
            case "hostname" -> HOSTNAME.matcher(text).matches();
            case "duration" -> DURATION.matcher(text).matches();
            default -> true;
        };
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,3}")) return false;
        String address = text.substring(0, slash);
        int bits = Integer.parseInt(text.substring(slash + 1));
        return IPV4.matcher(address).matches()
                ? bits <= 32
                : IPV6.matcher(address).matches() && bits <= 128;
    }
}
