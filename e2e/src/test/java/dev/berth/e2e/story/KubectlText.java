package dev.berth.e2e.story;

import java.util.regex.Pattern;

/** Replaces in what kubectl prints the ages and versions, which differ from run to run. */
final class KubectlText {
    /** With the blanks behind it, which keep the column straight. */
    private static final Pattern AGE = Pattern.compile("(?<=\\s)((\\d+[ydhms])+|\\d+ms|<invalid>)(?=[\\s)]|$) *");

    private static final Pattern VERSION = Pattern.compile("(?m)(resourceVersion\"?: \"?|Resource Version: +)\\d+");
    private static final Pattern WRITTEN_TIME =
            Pattern.compile("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d [+-]\\d{4}");
    private static final Pattern BLANKS = Pattern.compile("(?m) +$");

    private KubectlText() {}

    static String plain(Normaliser normaliser, String printed) {
        var text = normaliser.text(printed);
        text = AGE.matcher(text).replaceAll("(age) ");
        text = VERSION.matcher(text).replaceAll("$1(version)");
        text = WRITTEN_TIME.matcher(text).replaceAll("(time)");
        return BLANKS.matcher(text).replaceAll("");
    }
}
