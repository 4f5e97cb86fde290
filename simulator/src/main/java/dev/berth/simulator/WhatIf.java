package dev.berth.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A change to a cluster's nodes: {@code add 4 nodes of dgxh100}.
 *
 * @param count of nodes; negative where they go
 * @param kind a node's name, the model of its GPUs, or a kind that is known without an example
 */
public record WhatIf(int count, String kind) {
    private static final int MOST = 100_000;
    private static final Pattern WORDS = Pattern.compile("(add|remove) (\\d{1,6}) nodes? of (.+)");
    /** Machines that people buy, as their makers describe them. */
    private static final List<Machine> KNOWN = List.of(
            new Machine("dgxa100", 256_000, 2_097_152, 8, "A100"),
            new Machine("dgxh100", 224_000, 2_097_152, 8, "H100"));

    /** @throws IllegalArgumentException for words that are no change */
    public static WhatIf parse(String words) {
        var match = WORDS.matcher(words.strip().replaceAll("\\s+", " "));
        if (!match.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is neither 'add N nodes of KIND' nor 'remove N nodes of KIND'".formatted(words));
        }
        int count = Integer.parseInt(match.group(2));
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("%d nodes: 1 to %d can be changed".formatted(count, MOST));
        }
        return new WhatIf(match.group(1).equals("add") ? count : -count, match.group(3));
    }

    /** @throws IllegalArgumentException for a kind that nobody knows, or fewer nodes than are to go */
    public Trace of(Trace trace) {
        var machines = new ArrayList<>(trace.machines());
        if (count > 0) {
            var example = example(machines);
            for (int number = 1; number <= count; number++) {
                machines.add(new Machine(
                        "what-if-%s-%d".formatted(kind, machines.size()),
                        example.cpu(),
                        example.memory(),
                        example.gpus(),
                        example.model()));
            }
        } else {
            for (int gone = 0; gone > count; gone--) {
                int last = last(machines);
                if (last < 0) {
                    throw new IllegalArgumentException(
                            "%d nodes of %s are to go, and there are %d".formatted(-count, kind, -gone));
                }
                machines.remove(last);
            }
        }
        return new Trace(machines, trace.tasks());
    }

    private Machine example(List<Machine> machines) {
        int like = last(machines);
        return like >= 0
                ? machines.get(like)
                : KNOWN.stream()
                        .filter(machine -> machine.name().equalsIgnoreCase(kind))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no node and no model is called '%s'; known without an example: %s"
                                        .formatted(
                                                kind,
                                                String.join(
                                                        ", ",
                                                        KNOWN.stream()
                                                                .map(Machine::name)
                                                                .toList()))));
    }

    private int last(List<Machine> machines) {
        for (int place = machines.size() - 1; place >= 0; place--) {
            var machine = machines.get(place);
            if (machine.name().equals(kind) || machine.model().equalsIgnoreCase(kind)) {
                return place;
            }
        }
        return -1;
    }
}
