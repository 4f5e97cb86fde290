package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import java.util.regex.Pattern;

/** How labels are spelled, as far as selectors check it. */
final class LabelSyntax {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private LabelSyntax() {}

    static void checkKey(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        boolean fine = (slash < 0 || PREFIX.matcher(key.substring(0, slash)).matches())
                && name.length() <= 63
                && NAME.matcher(name).matches();
        if (fine) return;
        throw ApiException.badRequest(
                "unable to parse requirement: <nil>: Invalid value: \"%s\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                        .formatted(key));
    }

    static void checkValue(String key, String value) {
        if (value.length() > 63) {
            throw ApiException.badRequest(
                    "unable to parse requirement: values[0][%s]: Invalid value: \"%s\": must be no more than 63 bytes"
                            .formatted(key, value));
        }
        if (!VALUE.matcher(value).matches()) {
            throw ApiException.badRequest(
                    "unable to parse requirement: values[0][%s]: Invalid value: \"%s\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                            .formatted(key, value));
        }
    }
}
