package dev.berth.core.allocate;

import java.util.HashMap;
import java.util.Map;

/** Gives equal things the same small number. */
final class Numbering {
    private final Map<Object, Integer> numbers = new HashMap<>();

    int of(Object thing) {
        return numbers.computeIfAbsent(thing, unseen -> numbers.size());
    }

    int size() {
        return numbers.size();
    }
}
