package dev.berth.claims.dra.cel;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version as semver.org has it: three numbers without leading zeros, perhaps a pre-release and a build. */
record Version(BigInteger major, BigInteger minor, BigInteger patch, String preRelease, String build)
        implements Comparable<Version> {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final String WORDS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
    private static final Pattern FORM =
            Pattern.compile("%s\\.%s\\.%s(?:-(%s))?(?:\\+(%s))?".formatted(NUMBER, NUMBER, NUMBER, WORDS, WORDS));
    private static final Pattern LOOSE = Pattern.compile("v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(.*)");
    private static final int LONGEST = 256;

    static Optional<Version> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > LONGEST || !form.matches()) {
            return Optional.empty();
        }
        String preRelease = Optional.ofNullable(form.group(4)).orElse("");
        for (String word : preRelease.split("\\.", -1)) {
            if (word.length() > 1 && word.startsWith("0") && isNumber(word)) {
                return Optional.empty();
            }
        }
        return Optional.of(new Version(
                new BigInteger(form.group(1)),
                new BigInteger(form.group(2)),
                new BigInteger(form.group(3)),
                preRelease,
                Optional.ofNullable(form.group(5)).orElse("")));
    }

    /** The same with a leading v, missing numbers and leading zeros forgiven. */
    static Optional<Version> normalized(String text) {
        Matcher loose = LOOSE.matcher(text);
        if (text.length() > LONGEST || !loose.matches()) {
            return Optional.empty();
        }
        return parse("%s.%s.%s%s"
                .formatted(plain(loose.group(1)), plain(loose.group(2)), plain(loose.group(3)), loose.group(4)));
    }

    private static String plain(@org.jspecify.annotations.Nullable String number) {
        return number == null ? "0" : new BigInteger(number).toString();
    }

    private static boolean isNumber(String word) {
        return word.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }

    /** What is built from the same version ranks the same. */
    @Override
    public int compareTo(Version other) {
        int numbers = major.compareTo(other.major);
        numbers = numbers != 0 ? numbers : minor.compareTo(other.minor);
        numbers = numbers != 0 ? numbers : patch.compareTo(other.patch);
        return numbers != 0 ? numbers : comparePreReleases(preRelease, other.preRelease);
    }

    private static int comparePreReleases(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] words = one.split("\\.", -1);
        String[] others = other.split("\\.", -1);
        for (int index = 0; index < Math.min(words.length, others.length); index++) {
            int order = compareWords(words[index], others[index]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(words.length, others.length);
    }

    private static int compareWords(String one, String other) {
        if (isNumber(one) && isNumber(other)) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        if (isNumber(one) != isNumber(other)) {
            return isNumber(one) ? -1 : 1;
        }
        return one.compareTo(other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Version version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return major.hashCode() * 31 * 31 + minor.hashCode() * 31 + patch.hashCode();
    }

    @Override
    public String toString() {
        return "%s.%s.%s%s%s"
                .formatted(
                        major,
                        minor,
                        patch,
                        preRelease.isEmpty() ? "" : "-" + preRelease,
                        build.isEmpty() ? "" : "+" + build);
    }
}
