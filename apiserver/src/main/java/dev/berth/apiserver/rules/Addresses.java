package dev.berth.apiserver.rules;

/** Which texts are IP addresses and networks, without asking any name server. */
final class Addresses {
    private Addresses() {}

    static boolean isAddress(String text) {
        return text.indexOf(':') >= 0 ? isSix(text) : isFour(text);
    }

    static boolean isNetwork(String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1 || text.length() - slash > 4) return false;
        int bits = 0;
        for (int i = slash + 1; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) return false;
            bits = bits * 10 + digit;
        }
        String address = text.substring(0, slash);
        return isAddress(address) && bits <= (address.indexOf(':') >= 0 ? 128 : 32);
    }

    /** The four numbers as one, for addresses that {@link #isAddress} knows as version 4. */
    static long number(String address) {
        long number = 0;
        for (String part : address.split("\\.")) number = number << 8 | Integer.parseInt(part);
        return number;
    }

    static String text(long number) {
        return (number >> 24 & 255) + "." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    private static boolean isFour(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) return false;
        for (String part : parts) {
            if (part.isEmpty() || part.length() > 3 || (part.length() > 1 && part.charAt(0) == '0')) return false;
            for (int i = 0; i < part.length(); i++) if (part.charAt(i) < '0' || part.charAt(i) > '9') return false;
            if (Integer.parseInt(part) > 255) return false;
        }
        return true;
    }

    private static boolean isSix(String text) {
        int shortened = text.indexOf("::");
        if (shortened >= 0 && text.indexOf("::", shortened + 1) >= 0) return false;
        String plain = shortened < 0 ? text : text.substring(0, shortened) + ":" + text.substring(shortened + 2);
        int groups = 0;
        for (String part : plain.split(":", -1)) {
            if (part.isEmpty()) {
                if (shortened < 0) return false;
                continue;
            }
            if (part.length() > 4 || !part.chars().allMatch(c -> Character.digit(c, 16) >= 0)) return false;
            groups++;
        }
        return shortened < 0 ? groups == 8 : groups < 8;
    }
}
