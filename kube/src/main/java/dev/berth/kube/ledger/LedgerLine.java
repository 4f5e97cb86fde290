package dev.berth.kube.ledger;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An entry as one line of text, in seven columns: device, share, door, pod, id, uid, state. An API server reads, checks
 * and copies every value of an object many times in one update, so that eight lines cost it about half of what eight
 * objects of eight fields do.
 *
 * <pre>GPU-1 cores=50,memory=8 extender default/anna 0b8c3c9e = confirmed</pre>
 */
final class LedgerLine {
    private static final int COLUMNS = 7;
    private static final String WHOLE = "whole";
    /** A place beside others where no capacity is measured. */
    private static final String PART = "part";

    private static final String NO_UID = "-";
    private static final String UID_IS_ID = "=";
    private static final String CONFIRMED = "confirmed";
    private static final String UNTIL = "until=";
    private static final int HEX = 16;

    private LedgerLine() {}

    static String write(Entry entry) {
        var holder = entry.holder();
        return String.join(
                " ",
                escaped(entry.device().value(), ""),
                share(entry.share()),
                holder.door().label(),
                escaped(holder.namespace(), "/") + "/" + escaped(holder.name(), ""),
                escaped(holder.id(), ""),
                uid(holder),
                entry.state() instanceof Entry.State.Assumed(var expires) ? UNTIL + expires : CONFIRMED);
    }

    private static String share(Share share) {
        return switch (share) {
            case Share.Whole _ -> WHOLE;
            case Share.Part(var amounts) when amounts.isEmpty() -> PART;
            case Share.Part(var amounts) ->
                amounts.entrySet().stream()
                        .map(amount -> escaped(amount.getKey(), ",=") + "=" + amount.getValue())
                        .collect(Collectors.joining(","));
        };
    }

    private static String uid(Holder holder) {
        return holder.uid()
                .map(uid -> uid.equals(holder.id()) ? UID_IS_ID : escaped(uid, NO_UID + UID_IS_ID))
                .orElse(NO_UID);
    }

    /** @throws IllegalArgumentException if it is no such line */
    static Entry read(String line) {
        var columns = line.split(" ", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("a line has %d columns, not: '%s'".formatted(COLUMNS, line));
        }
        int slash = columns[3].indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("a pod is namespace/name, not: '%s'".formatted(columns[3]));
        }
        var holder = new Holder(
                Door.ofLabel(columns[2]),
                plain(columns[3].substring(0, slash)),
                plain(columns[3].substring(slash + 1)),
                plain(columns[4]),
                uid(columns[5], columns[4]));
        return new Entry(new DeviceId(plain(columns[0])), holder, share(columns[1]), state(columns[6]));
    }

    private static Optional<String> uid(String column, String id) {
        return switch (column) {
            case NO_UID -> Optional.empty();
            case UID_IS_ID -> Optional.of(plain(id));
            default -> Optional.of(plain(column));
        };
    }

    private static Share share(String column) {
        if (column.equals(WHOLE)) {
            return Share.WHOLE;
        }
        var amounts = new TreeMap<String, Quantity>();
        if (!column.equals(PART)) {
            for (var amount : column.split(",", -1)) {
                int equals = amount.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("a share is capacity=amount, not: '%s'".formatted(column));
                }
                amounts.put(plain(amount.substring(0, equals)), Quantity.parse(amount.substring(equals + 1)));
            }
        }
        return new Share.Part(amounts);
    }

    private static Entry.State state(String column) {
        if (column.equals(CONFIRMED)) {
            return Entry.State.CONFIRMED;
        }
        if (!column.startsWith(UNTIL)) {
            throw new IllegalArgumentException(noState(column));
        }
        try {
            return new Entry.State.Assumed(Instant.parse(column.substring(UNTIL.length())));
        } catch (DateTimeParseException noTime) {
            throw new IllegalArgumentException(noState(column), noTime);
        }
    }

    private static String noState(String column) {
        return "a state is %s or %stime, not: '%s'".formatted(CONFIRMED, UNTIL, column);
    }

    /** With what would end a column, or means something in this one, as {@code %20}. */
    private static String escaped(String text, String also) {
        for (int at = 0; at < text.length(); at++) {
            if (mustEscape(text.charAt(at), also)) {
                return text.chars()
                        .mapToObj(each ->
                                mustEscape((char) each, also) ? "%%%02x".formatted(each) : String.valueOf((char) each))
                        .collect(Collectors.joining());
            }
        }
        return text;
    }

    private static boolean mustEscape(char each, String also) {
        return each <= ' ' || each == '%' || also.indexOf(each) >= 0;
    }

    private static String plain(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        var plain = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '%' && at + 2 < text.length()) {
                plain.append((char) Integer.parseInt(text, at + 1, at + 3, HEX));
                at += 2;
            } else {
                plain.append(text.charAt(at));
            }
        }
        return plain.toString();
    }
}
