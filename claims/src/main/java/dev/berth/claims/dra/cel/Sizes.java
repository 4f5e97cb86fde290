package dev.berth.claims.dra.cel;

import com.google.protobuf.ByteString;
import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How large values are. Whatever is above {@link #MOST} is called that. */
final class Sizes {
    /** What it costs to read a letter. */
    private static final double TEXT = 0.1;

    /** Beyond this every sum is over the limit. */
    private static final long MOST = 20_000_000;

    private Sizes() {}

    static long of(Object value) {
        return switch (value) {
            case String text -> text.length();
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case Optional<?> optional when optional.isPresent() -> of(optional.get());
            case CelByteString bytes -> bytes.size();
            case ByteString bytes -> bytes.size();
            default -> 1;
        };
    }

    /** With all that is in lists within. */
    static long whole(Object value) {
        return switch (value) {
            case Collection<?> list -> whole(list, MOST);
            case Map<?, ?> map -> whole(map.values(), MOST);
            default -> of(value);
        };
    }

    private static long whole(Collection<?> list, long most) {
        long size = list.size();
        for (Object each : list) {
            if (size > most) {
                return MOST;
            }
            if (each instanceof Collection<?> inner) {
                size += whole(inner, most - size);
            } else if (each instanceof Map<?, ?> inner) {
                size += whole(inner.values(), most - size);
            }
        }
        return size;
    }

    /** What it costs to look at all of it once. */
    static long traversal(Object value) {
        return switch (value) {
            case String text -> (long) (text.length() * TEXT);
            case Collection<?> list -> {
                long cost = 0;
                for (Object each : list) {
                    cost += cost > MOST ? 0 : traversal(each);
                }
                yield cost;
            }
            case Map<?, ?> map -> traversal(map.keySet()) + traversal(map.values());
            default -> 1;
        };
    }

    static long between(Object from, Object to) {
        return from instanceof Long start && to instanceof Long end && end > start ? Math.min(end - start, MOST) : 0;
    }

    static long flat(Object list) {
        long size = 0;
        if (list instanceof Collection<?> values) {
            for (Object each : values) {
                size += of(each);
            }
        }
        return size;
    }

    static long joined(List<Object> arguments) {
        if (!(arguments.getFirst() instanceof Collection<?> parts)) {
            return 1;
        }
        long separator = arguments.size() > 1 ? of(arguments.get(1)) : 0;
        return flat(parts) + separator * Math.max(0, parts.size() - 1);
    }

    /** The longest that can come of it. */
    static long replaced(List<Object> arguments) {
        long length = of(arguments.getFirst());
        long sought = of(arguments.get(1));
        long places = sought == 0 ? length + 1 : length / sought;
        return length + places * of(arguments.get(2));
    }
}
