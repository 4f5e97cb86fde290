package dev.berth.claims.dra.cel;

import java.util.Optional;
import java.util.regex.Pattern;

/** A range of IP addresses (CIDR): an address, and how many of its bits all of them share. */
record Network(Address address, int shared) {
    private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");

    static Optional<Network> parse(String text) {
        int slash = text.lastIndexOf('/');
        String bits = text.substring(slash + 1);
        if (slash < 0 || !BITS.matcher(bits).matches()) {
            return Optional.empty();
        }
        int shared = Integer.parseInt(bits);
        return Address.parse(text.substring(0, slash))
                .filter(address -> shared <= address.length())
                .map(address -> new Network(address, shared));
    }

    boolean contains(Address other) {
        return other.length() == address.length() && other.first(shared).equals(address.first(shared));
    }

    boolean contains(Network other) {
        return shared <= other.shared && contains(other.address);
    }

    /** The same range, by its first address. */
    Network masked() {
        var first = address.first(shared).shiftLeft(address.length() - shared);
        return new Network(new Address(first, address.length()), shared);
    }

    /** How many bytes it takes to compare. */
    int bytes() {
        return Math.ceilDiv(shared, Byte.SIZE);
    }

    @Override
    public String toString() {
        return address + "/" + shared;
    }
}
