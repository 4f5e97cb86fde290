package dev.berth.bench.subject;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The five doors by their names. In this order each finds the cards of pods that run in the ledger: what no door has
 * written down there yet is free for the next.
 */
public final class Doors {
    private static final Map<String, Subject.Opening> ALL = all();

    private Doors() {}

    private static Map<String, Subject.Opening> all() {
        var all = new LinkedHashMap<String, Subject.Opening>();
        all.put("claims", ClaimsSubject::open);
        all.put("pinner", PinnerSubject::open);
        all.put("extender", ExtenderSubject::open);
        all.put("advisor", AdvisorSubject::open);
        all.put("assigner", AssignerSubject::open);
        return all;
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    public static Subject.Opening named(String name) {
        var opening = ALL.get(name);
        if (opening == null) throw new IllegalArgumentException("no door is called %s: %s".formatted(name, names()));
        return opening;
    }
}
