package dev.berth.claims.dra.cel;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address, of four bytes or of sixteen. Read more strictly than Java does: no zone, no leading zeros, and none of
 * version 4 in the clothes of version 6.
 */
record Address(BigInteger bits, int length) {
    private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String FOUR = BYTE + "(?:\\." + BYTE + "){3}";
    private static final Pattern VERSION_4 = Pattern.compile(FOUR);
    private static final Pattern VERSION_6 =
            Pattern.compile("(?:[0-9a-fA-F]{0,4}:){2,8}(?:[0-9a-fA-F]{0,4}|" + FOUR + ")");
    private static final int LONGEST = 45;

    static final int VERSION_4_LENGTH = 32;

    static Optional<Address> parse(String text) {
        if (text.length() > LONGEST
                || !(VERSION_4.matcher(text).matches()
                        || VERSION_6.matcher(text).matches())) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.ofLiteral(text).getAddress();
            boolean disguised = bytes.length * Byte.SIZE == VERSION_4_LENGTH && text.contains(":");
            return disguised ? Optional.empty() : Optional.of(of(bytes));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static Address of(byte[] bytes) {
        return new Address(new BigInteger(1, bytes), bytes.length * Byte.SIZE);
    }

    int family() {
        return length == VERSION_4_LENGTH ? 4 : 6;
    }

    boolean isUnspecified() {
        return bits.signum() == 0;
    }

    boolean isLoopback() {
        return family() == 4 ? starts(8, 127) : bits.equals(BigInteger.ONE);
    }

    boolean isLinkLocalUnicast() {
        return family() == 4 ? starts(16, 0xa9fe) : starts(10, 0x3fa);
    }

    boolean isLinkLocalMulticast() {
        // Of version 6 whatever the flags in the second byte.
        return family() == 4
                ? starts(24, 0xe00000)
                : starts(8, 0xff) && (first(16).intValue() & 0xf) == 2;
    }

    boolean isGlobalUnicast() {
        boolean multicast = family() == 4 ? starts(4, 0xe) : starts(8, 0xff);
        boolean broadcast = family() == 4 && starts(VERSION_4_LENGTH, 0xffffffffL);
        return !isUnspecified() && !isLoopback() && !multicast && !broadcast && !isLinkLocalUnicast();
    }

    private boolean starts(int count, long with) {
        return first(count).equals(BigInteger.valueOf(with));
    }

    /** The leading bits. */
    BigInteger first(int count) {
        return bits.shiftRight(length - count);
    }

    /** The one way to write it: version 6 in small letters, with the longest run of zeros left out. */
    @Override
    public String toString() {
        if (family() == 4) {
            long all = bits.longValue();
            return "%d.%d.%d.%d".formatted(all >> 24, all >> 16 & 255, all >> 8 & 255, all & 255);
        }
        var groups = new String[8];
        Arrays.setAll(
                groups,
                index -> HexFormat.of()
                        .toHexDigits(bits.shiftRight(112 - 16 * index).shortValue())
                        .replaceFirst("^0{1,3}", ""));
        int start = 0;
        int zeros = 0;
        for (int from = 0; from < groups.length; from++) {
            int to = from;
            while (to < groups.length && groups[to].equals("0")) {
                to++;
            }
            if (to - from > zeros) {
                start = from;
                zeros = to - from;
            }
        }
        return zeros < 2
                ? String.join(":", groups)
                : "%s::%s"
                        .formatted(
                                String.join(":", Arrays.copyOfRange(groups, 0, start)),
                                String.join(":", Arrays.copyOfRange(groups, start + zeros, groups.length)));
    }
}
