package dev.berth.claims.dra.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What Kubernetes adds to CEL for addresses, networks, URLs and texts of a named form. */
final class NetworkFunctions {
    private static final CelType ADDRESS = OpaqueType.create("net.IP");
    private static final CelType NETWORK = OpaqueType.create("net.CIDR");
    private static final CelType URL = OpaqueType.create("kubernetes.URL");
    private static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
    private static final CelType TEXTS = ListType.create(SimpleType.STRING);

    private NetworkFunctions() {}

    static void addTo(Functions functions) {
        addresses(functions);
        networks(functions);
        urls(functions);
        formats(functions);
    }

    private static void addresses(Functions functions) {
        functions
                .global("ip", ADDRESS, SimpleType.STRING, String.class, NetworkFunctions::address)
                .global("string", SimpleType.STRING, ADDRESS, Address.class, Address::toString)
                .global(
                        "isIP",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Address.parse(text).isPresent())
                .global(
                        "ip.isCanonical",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> address(text).toString().equals(text))
                .member("family", SimpleType.INT, ADDRESS, Address.class, address -> (long) address.family())
                .member("isUnspecified", SimpleType.BOOL, ADDRESS, Address.class, Address::isUnspecified)
                .member("isLoopback", SimpleType.BOOL, ADDRESS, Address.class, Address::isLoopback)
                .member("isLinkLocalMulticast", SimpleType.BOOL, ADDRESS, Address.class, Address::isLinkLocalMulticast)
                .member("isLinkLocalUnicast", SimpleType.BOOL, ADDRESS, Address.class, Address::isLinkLocalUnicast)
                .member("isGlobalUnicast", SimpleType.BOOL, ADDRESS, Address.class, Address::isGlobalUnicast);
    }

    private static Address address(String text) {
        return Address.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not an IP address: '%s'".formatted(text)));
    }

    private static void networks(Functions functions) {
        functions
                .global("cidr", NETWORK, SimpleType.STRING, String.class, NetworkFunctions::network)
                .global("string", SimpleType.STRING, NETWORK, Network.class, Network::toString)
                .global(
                        "isCIDR",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Network.parse(text).isPresent())
                .member("ip", ADDRESS, NETWORK, Network.class, Network::address)
                .member("masked", NETWORK, NETWORK, Network.class, Network::masked)
                .member("prefixLength", SimpleType.INT, NETWORK, Network.class, network -> (long) network.shared());
        var text = List.of(NETWORK, SimpleType.STRING);
        functions
                .member(
                        "containsIP",
                        SimpleType.BOOL,
                        text,
                        Network.class,
                        String.class,
                        (network, other) -> network.contains(address(other)))
                .member(
                        "containsIP",
                        SimpleType.BOOL,
                        List.of(NETWORK, ADDRESS),
                        Network.class,
                        Address.class,
                        Network::contains)
                .member(
                        "containsCIDR",
                        SimpleType.BOOL,
                        text,
                        Network.class,
                        String.class,
                        (network, other) -> network.contains(network(other)))
                .member(
                        "containsCIDR",
                        SimpleType.BOOL,
                        List.of(NETWORK, NETWORK),
                        Network.class,
                        Network.class,
                        Network::contains);
    }

    private static Network network(String text) {
        return Network.parse(text)
                .orElseThrow(() -> new IllegalArgumentException("not a network (CIDR): '%s'".formatted(text)));
    }

    private static void urls(Functions functions) {
        functions
                .global("url", URL, SimpleType.STRING, String.class, NetworkFunctions::url)
                .global(
                        "isURL",
                        SimpleType.BOOL,
                        SimpleType.STRING,
                        String.class,
                        text -> Url.parse(text).isPresent())
                .member("getScheme", SimpleType.STRING, URL, Url.class, Url::scheme)
                .member("getHost", SimpleType.STRING, URL, Url.class, Url::host)
                .member("getHostname", SimpleType.STRING, URL, Url.class, Url::hostname)
                .member("getPort", SimpleType.STRING, URL, Url.class, Url::port)
                .member("getEscapedPath", SimpleType.STRING, URL, Url.class, Url::escapedPath)
                .member("getQuery", MapType.create(SimpleType.STRING, TEXTS), URL, Url.class, Url::query);
    }

    private static Url url(String text) {
        return Url.parse(text).orElseThrow(() -> new IllegalArgumentException("not a URL: '%s'".formatted(text)));
    }

    private static NamedFormat format(String known) {
        return Objects.requireNonNull(NamedFormat.all().get(known));
    }

    private static void formats(Functions functions) {
        for (String name : NamedFormat.all().keySet()) {
            functions.global("format." + name, FORMAT, _ -> format(name));
        }
        functions
                .global(
                        "format.named",
                        OptionalType.create(FORMAT),
                        SimpleType.STRING,
                        String.class,
                        name -> Optional.ofNullable(NamedFormat.all().get(name)))
                .member(
                        "validate",
                        OptionalType.create(TEXTS),
                        List.of(FORMAT, SimpleType.STRING),
                        NamedFormat.class,
                        String.class,
                        (format, text) ->
                                Optional.of(format.complaints(text)).filter(complaints -> !complaints.isEmpty()));
    }
}
