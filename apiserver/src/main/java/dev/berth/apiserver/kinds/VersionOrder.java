package dev.berth.apiserver.kinds;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order in which Kubernetes prefers versions: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, foo1, foo10. */
final class VersionOrder {
    static final Comparator<String> NEWEST_FIRST = (a, b) -> {
        Matcher left = parse(a);
        Matcher right = parse(b);
        boolean leftParses = left.matches();
        boolean rightParses = right.matches();
        if (!leftParses || !rightParses) {
            return leftParses == rightParses ? a.compareTo(b) : leftParses ? -1 : 1;
        }
        int stability = Integer.compare(stability(right), stability(left));
        if (stability != 0) return stability;
        int major = Integer.compare(number(right, 1), number(left, 1));
        return major != 0 ? major : Integer.compare(number(right, 3), number(left, 3));
    };

    private static final Pattern VERSION = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

    private VersionOrder() {}

    private static Matcher parse(String version) {
        return VERSION.matcher(version);
    }

    private static int stability(Matcher version) {
        if (version.group(2) == null) return 2;
        return version.group(2).equals("beta") ? 1 : 0;
    }

    private static int number(Matcher version, int group) {
        String digits = version.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
