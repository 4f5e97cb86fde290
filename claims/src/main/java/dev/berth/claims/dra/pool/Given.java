package dev.berth.claims.dra.pool;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the model of the API leaves out, as the value that it stands for. */
public final class Given {
    private Given() {}

    public static <T> List<T> list(@Nullable List<T> written) {
        return Objects.requireNonNullElse(written, List.of());
    }

    public static <K, V> Map<K, V> map(@Nullable Map<K, V> written) {
        return Objects.requireNonNullElse(written, Map.of());
    }

    public static boolean flag(@Nullable Boolean written) {
        return Boolean.TRUE.equals(written);
    }

    public static String text(@Nullable String written) {
        return Objects.requireNonNullElse(written, "");
    }
}
