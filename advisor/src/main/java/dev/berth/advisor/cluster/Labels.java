package dev.berth.advisor.cluster;

import dev.berth.kube.DnsName;
import java.util.regex.Pattern;

/** What Kubernetes takes as a label; anything else in a selector has the whole pod refused. */
public final class Labels {
    private static final int LONGEST = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private Labels() {}

    public static boolean isValue(String text) {
        return text.isEmpty() || isName(text);
    }

    public static boolean isKey(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return isName(text);
        }
        var prefix = text.substring(0, slash);
        return DnsName.isSubdomain(prefix) && isName(text.substring(slash + 1));
    }

    private static boolean isName(String text) {
        return text.length() <= LONGEST && NAME.matcher(text).matches();
    }
}
