package dev.berth.web.tls;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Self-managed certificates as they are kept: the entries of a Secret of type kubernetes.io/tls, plus the authority's
 * key.
 *
 * @param authorities certificates of all authorities to be trusted, the one that signs first
 * @param authorityKey key of the first authority
 */
public record CertificateBundle(String authorities, String authorityKey, String certificate, String key) {
    private static final String AUTHORITIES = "ca.crt";
    private static final String AUTHORITY_KEY = "ca.key";
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";

    /** The Secret's entries, not yet in base64. */
    public Map<String, String> entries() {
        var entries = new LinkedHashMap<String, String>();
        entries.put(AUTHORITIES, authorities);
        entries.put(AUTHORITY_KEY, authorityKey);
        entries.put(CERTIFICATE, certificate);
        entries.put(KEY, key);
        return entries;
    }

    /** Missing entries are empty, which {@link ManagedCertificates} replaces like anything else it cannot use. */
    public static CertificateBundle of(Map<String, String> entries) {
        return new CertificateBundle(
                entries.getOrDefault(AUTHORITIES, ""),
                entries.getOrDefault(AUTHORITY_KEY, ""),
                entries.getOrDefault(CERTIFICATE, ""),
                entries.getOrDefault(KEY, ""));
    }

    @Override
    public String toString() {
        return "CertificateBundle[keys not shown]";
    }
}
