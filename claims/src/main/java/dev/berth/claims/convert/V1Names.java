package dev.berth.claims.convert;

import java.util.Locale;
import java.util.Map;

/** The names of the prototype as {@code resource.k8s.io/v1} allows them. */
final class V1Names {
    private static final int LONGEST_IDENTIFIER = 32;
    private static final int LONGEST_LABEL = 63;

    /** Attributes that Kubernetes has names of its own for, which mean the same in every driver. */
    private static final Map<String, String> STANDARD = Map.of("pcie-root", "resource.kubernetes.io/pcieRoot");

    private V1Names() {}

    /** A domain and an identifier; the domain is the driver's unless Kubernetes has a name for the attribute. */
    record Qualified(String domain, String identifier) {
        String full() {
            return domain + "/" + identifier;
        }
    }

    static Qualified attribute(String driver, String name) {
        String standard = STANDARD.get(name);
        if (standard != null) {
            int slash = standard.indexOf('/');
            return new Qualified(standard.substring(0, slash), standard.substring(slash + 1));
        }
        return new Qualified(driver(driver), identifier(name));
    }

    /** As a key of a device's attributes: the driver's own domain is left out. */
    static String key(String driver, String name) {
        Qualified qualified = attribute(driver, name);
        return qualified.domain().equals(driver(driver)) ? qualified.identifier() : qualified.full();
    }

    /** {@code mig-profile} becomes {@code migProfile}. */
    static String identifier(String name) {
        var identifier = new StringBuilder();
        boolean capital = false;
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            boolean letter = (each < 128 && Character.isLetterOrDigit(each)) || each == '_';
            if (letter) {
                identifier.append(capital ? Character.toUpperCase(each) : each);
            }
            capital = !letter && !identifier.isEmpty();
        }
        if (identifier.isEmpty() || Character.isDigit(identifier.charAt(0))) {
            identifier.insert(0, '_');
        }
        return identifier.length() <= LONGEST_IDENTIFIER
                ? identifier.toString()
                : identifier.substring(0, LONGEST_IDENTIFIER);
    }

    /** A DNS name: {@code gpu.nvidia.com/dra} becomes {@code dra.gpu.nvidia.com}. */
    static String driver(String driver) {
        int slash = driver.indexOf('/');
        return slash < 0 ? driver : driver.substring(slash + 1) + "." + driver.substring(0, slash);
    }

    /** Devices and requests are called by DNS labels, which have no dots. */
    static String label(String name) {
        String label =
                name.toLowerCase(Locale.ROOT).replaceAll("[^-a-z0-9]", "-").replaceAll("^-+|-+$", "");
        return label.length() <= LONGEST_LABEL
                ? label
                : label.substring(0, LONGEST_LABEL).replaceAll("-+$", "");
    }
}
