package dev.berth.claims.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** What was compiled of a text, kept for the texts that were asked for last. */
public final class Remembered<T> {
    private static final int MOST = 2_000;

    private final Function<String, T> compile;
    private final Map<String, T> compiled = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
            return size() > MOST;
        }
    };

    public Remembered(Function<String, T> compile) {
        this.compile = compile;
    }

    /** Nobody waits while another text is compiled; of two who ask for a new one both may compile it. */
    public T of(String text) {
        synchronized (compiled) {
            T known = compiled.get(text);
            if (known != null) {
                return known;
            }
        }
        T fresh = compile.apply(text);
        synchronized (compiled) {
            compiled.put(text, fresh);
        }
        return fresh;
    }
}
