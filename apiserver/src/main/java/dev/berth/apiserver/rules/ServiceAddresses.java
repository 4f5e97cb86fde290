package dev.berth.apiserver.rules;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Gives out cluster addresses and node ports that no service has yet. */
final class ServiceAddresses {
    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2768;

    private final long first;
    private final int size;
    private final Predicate<String> taken;
    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger ports = new AtomicInteger();

    /**
     * @param range such as {@code 10.96.0.0/16}
     * @param taken whether a stored service has this address
     */
    ServiceAddresses(String range, Predicate<String> taken) {
        if (!Addresses.isNetwork(range) || range.indexOf(':') >= 0)
            throw new IllegalArgumentException("not a range of IPv4 addresses: " + range);
        int slash = range.indexOf('/');
        int bits = Integer.parseInt(range.substring(slash + 1));
        if (bits < 8 || bits > 30) throw new IllegalArgumentException("range must be between /8 and /30: " + range);
        this.first = Addresses.number(range.substring(0, slash));
        this.size = 1 << (32 - bits);
        this.taken = taken;
    }

    boolean contains(String address) {
        if (address.indexOf(':') >= 0) return false;
        long number = Addresses.number(address);
        return number > first && number < first + size - 1;
    }

    String next() {
        for (int tries = 0; tries < size; tries++) {
            // The first sixteen are left to those who choose their own, the very first to the API server.
            int offset = 16 + Math.floorMod(given.getAndIncrement(), Math.max(1, size - 17));
            String address = Addresses.text(first + Math.min(offset, size - 2));
            if (!taken.test(address)) return address;
        }
        throw new IllegalStateException("no address is left in the services' range");
    }

    int nextPort() {
        return FIRST_PORT + Math.floorMod(ports.getAndIncrement(), PORTS);
    }
}
