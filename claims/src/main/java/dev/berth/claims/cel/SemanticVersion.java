package dev.berth.claims.cel;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version that compares as versions do: 1.10.0 is later than 1.8.0. Read more leniently than semver.org has it, since
 * drivers publish 550.54.15 and 12.4: up to four numbers, of which missing ones are zero.
 */
record SemanticVersion(List<BigInteger> numbers, String preRelease) implements Comparable<SemanticVersion> {
    private static final Pattern FORM =
            Pattern.compile("v?(\\d{1,40}(?:\\.\\d{1,40}){0,3})(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
    private static final Pattern DOT = Pattern.compile("\\.");
    private static final int NUMBERS = 4;

    static Optional<SemanticVersion> parse(String text) {
        var matcher = FORM.matcher(text);
        if (text.length() > 256 || !matcher.matches()) {
            return Optional.empty();
        }
        List<BigInteger> numbers = new ArrayList<>();
        for (String part : DOT.split(matcher.group(1), -1)) {
            numbers.add(new BigInteger(part));
        }
        while (numbers.size() < NUMBERS) {
            numbers.add(BigInteger.ZERO);
        }
        String preRelease = matcher.group(2);
        return Optional.of(new SemanticVersion(List.copyOf(numbers), preRelease == null ? "" : preRelease));
    }

    @Override
    public int compareTo(SemanticVersion other) {
        for (int i = 0; i < NUMBERS; i++) {
            int order = numbers.get(i).compareTo(other.numbers.get(i));
            if (order != 0) {
                return order;
            }
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            // A release comes after what led to it.
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        return comparePreReleases(DOT.split(preRelease, -1), DOT.split(other.preRelease, -1));
    }

    private static int comparePreReleases(String[] left, String[] right) {
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = compareIdentifiers(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int compareIdentifiers(String left, String right) {
        boolean leftNumber = isNumber(left);
        boolean rightNumber = isNumber(right);
        if (leftNumber && rightNumber) {
            return new BigInteger(left).compareTo(new BigInteger(right));
        }
        return leftNumber == rightNumber ? left.compareTo(right) : Boolean.compare(rightNumber, leftNumber);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }
}
