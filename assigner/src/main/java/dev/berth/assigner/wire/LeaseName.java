package dev.berth.assigner.wire;

import dev.berth.kube.DnsName;
import java.util.Locale;

/** How a GPU's UUID becomes the name of its Lease, and a label on it. */
public final class LeaseName {
    private static final int LONGEST_LABEL = 63;

    private LeaseName() {}

    /** Lower case, with a dash for what a name may not have; empty for a UUID without a letter or digit. */
    public static String of(String uuid) {
        return trimmed(replaced(uuid.toLowerCase(Locale.ROOT), ".-"));
    }

    /** Whether the API server takes it for a Lease's name: not where a dot has no letter or digit beside it. */
    static boolean isValid(String name) {
        return DnsName.isSubdomain(name);
    }

    /** The UUID itself, or as much of it as a label's value may be: those of MIG slices have slashes. */
    public static String label(String uuid) {
        var value = replaced(uuid, "._-");
        return trimmed(value.length() > LONGEST_LABEL ? value.substring(0, LONGEST_LABEL) : value);
    }

    private static String replaced(String text, String alsoAllowed) {
        var name = new StringBuilder(text.length());
        text.chars().forEach(character -> name.append(allowed(character, alsoAllowed) ? (char) character : '-'));
        return name.toString();
    }

    private static boolean allowed(int character, String also) {
        return alphanumeric(character) || also.indexOf(character) >= 0;
    }

    private static boolean alphanumeric(int character) {
        return character < 128 && Character.isLetterOrDigit(character);
    }

    private static String trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && !alphanumeric(text.charAt(start))) {
            start++;
        }
        while (end > start && !alphanumeric(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }
}
