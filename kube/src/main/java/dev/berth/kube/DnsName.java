package dev.berth.kube;

import java.util.regex.Pattern;

/** What Kubernetes takes for a name that must be one of DNS. */
public final class DnsName {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABELS = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAINS = Pattern.compile("%s(\\.%s)*".formatted(LABEL, LABEL));
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_SUBDOMAIN = 253;

    private DnsName() {}

    /** One word, as namespaces have it. */
    public static boolean isLabel(String name) {
        return name.length() <= LONGEST_LABEL && LABELS.matcher(name).matches();
    }

    /** Words with dots between them, as most objects have it. */
    public static boolean isSubdomain(String name) {
        return name.length() <= LONGEST_SUBDOMAIN && SUBDOMAINS.matcher(name).matches();
    }
}
