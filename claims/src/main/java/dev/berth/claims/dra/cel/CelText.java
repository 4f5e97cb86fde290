package dev.berth.claims.dra.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as {@code %s} shows them: on their own as they are, in lists and maps as one would write them in CEL. */
final class CelText {
    private static final String SHOWN =
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";

    private CelText() {}

    static String of(Object value) {
        return switch (value) {
            case String text -> text;
            case Long number -> number.toString();
            case UnsignedLong number -> number.toString();
            case Double number -> DecimalText.shortest(number);
            case Boolean yes -> yes.toString();
            case CelByteString bytes -> new String(bytes.toByteArray(), StandardCharsets.UTF_8);
            case NullValue _ -> "null";
            case TypeType type -> type.containingTypeName();
            case Instant moment -> moment.toString();
            case Duration span -> seconds(span);
            case List<?> list -> list.stream().map(CelText::written).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> Map.entry(key(entry.getKey()), written(entry.getValue())))
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> throw TextFormat.wrong(SHOWN, value);
        };
    }

    private static String written(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case CelByteString _ -> "b" + quoted(of(value));
            case Double number -> DecimalText.inList(number);
            case Instant _ -> "timestamp(%s)".formatted(quoted(of(value)));
            case Duration _ -> "duration(%s)".formatted(quoted(of(value)));
            default -> of(value);
        };
    }

    private static String key(Object key) {
        return switch (key) {
            case String _, Boolean _, Long _, UnsignedLong _ -> written(key);
            default -> throw new IllegalArgumentException("no formatting function for map key of type " + typeOf(key));
        };
    }

    private static String seconds(Duration span) {
        return DecimalText.shortest(span.toNanos() / 1e9) + "s";
    }

    /** As Go quotes. */
    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            quoted.append(
                    switch (letter) {
                        case '"' -> "\\\"";
                        case '\\' -> "\\\\";
                        case '\n' -> "\\n";
                        case '\t' -> "\\t";
                        case '\r' -> "\\r";
                        case '\b' -> "\\b";
                        case '\f' -> "\\f";
                        case 0x07 -> "\\a";
                        case 0x0b -> "\\v";
                        default ->
                            letter < ' ' || letter == 0x7f ? "\\x%02x".formatted((int) letter) : String.valueOf(letter);
                    });
        }
        return quoted.append('"').toString();
    }

    /** What CEL calls its type. */
    static String typeOf(Object value) {
        return switch (value) {
            case String _ -> "string";
            case Long _ -> "int";
            case UnsignedLong _ -> "uint";
            case Double _ -> "double";
            case Boolean _ -> "bool";
            case CelByteString _ -> "bytes";
            case NullValue _ -> "null_type";
            case List<?> _ -> "list";
            case Map<?, ?> _ -> "map";
            case TypeType _ -> "type";
            case Instant _ -> "google.protobuf.Timestamp";
            case Duration _ -> "google.protobuf.Duration";
            default -> value.getClass().getSimpleName();
        };
    }
}
