package dev.berth.apiserver.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A unified diff with three lines of context, line for line what Python's difflib and its port to Go make, because the
 * real server quotes one when a pod's spec was changed.
 */
final class LineDiff {
    private static final int CONTEXT = 3;

    private record Block(int a, int b, int size) {}

    private record Step(char kind, int a1, int a2, int b1, int b2) {}

    private final List<String> before;
    private final List<String> after;
    private final Map<String, List<Integer>> places = new HashMap<>();

    private LineDiff(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
        for (int i = 0; i < after.size(); i++)
            places.computeIfAbsent(after.get(i), _ -> new ArrayList<>()).add(i);
        // Lines that come very often are left out of the search.
        int popular = after.size() / 100 + 1;
        if (after.size() >= 200) places.values().removeIf(found -> found.size() > popular);
    }

    static String between(String before, String after) {
        return new LineDiff(List.of(before.split("\n")), List.of(after.split("\n"))).text();
    }

    private String text() {
        var text = new StringBuilder();
        for (List<Step> group : groups()) {
            Step first = group.getFirst();
            Step last = group.getLast();
            text.append("@@ -%s +%s @@\n".formatted(range(first.a1, last.a2), range(first.b1, last.b2)));
            for (Step step : group) {
                if (step.kind == '=') lines(text, " ", before, step.a1, step.a2);
                if (step.kind == '-' || step.kind == '*') lines(text, "-", before, step.a1, step.a2);
                if (step.kind == '+' || step.kind == '*') lines(text, "+", after, step.b1, step.b2);
            }
        }
        return text.toString();
    }

    private static void lines(StringBuilder text, String mark, List<String> from, int start, int end) {
        for (int i = start; i < end; i++) text.append(mark).append(from.get(i)).append('\n');
    }

    private static String range(int start, int end) {
        int length = end - start;
        if (length == 1) return Integer.toString(start + 1);
        return (length == 0 ? start : start + 1) + "," + length;
    }

    private List<List<Step>> groups() {
        List<Step> steps = steps();
        if (steps.isEmpty()) return List.of();
        Step first = steps.getFirst();
        if (first.kind == '=')
            steps.set(
                    0,
                    new Step(
                            '=',
                            Math.max(first.a1, first.a2 - CONTEXT),
                            first.a2,
                            Math.max(first.b1, first.b2 - CONTEXT),
                            first.b2));
        Step last = steps.getLast();
        if (last.kind == '=')
            steps.set(
                    steps.size() - 1,
                    new Step(
                            '=',
                            last.a1,
                            Math.min(last.a2, last.a1 + CONTEXT),
                            last.b1,
                            Math.min(last.b2, last.b1 + CONTEXT)));
        List<List<Step>> groups = new ArrayList<>();
        List<Step> group = new ArrayList<>();
        for (Step step : steps) {
            int a1 = step.a1;
            int b1 = step.b1;
            if (step.kind == '=' && step.a2 - step.a1 > 2 * CONTEXT) {
                group.add(new Step('=', a1, Math.min(step.a2, a1 + CONTEXT), b1, Math.min(step.b2, b1 + CONTEXT)));
                groups.add(group);
                group = new ArrayList<>();
                a1 = Math.max(a1, step.a2 - CONTEXT);
                b1 = Math.max(b1, step.b2 - CONTEXT);
            }
            group.add(new Step(step.kind, a1, step.a2, b1, step.b2));
        }
        if (!group.isEmpty() && !(group.size() == 1 && group.getFirst().kind == '=')) groups.add(group);
        return groups;
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        int a = 0;
        int b = 0;
        for (Block block : blocks()) {
            if (a < block.a && b < block.b) steps.add(new Step('*', a, block.a, b, block.b));
            else if (a < block.a) steps.add(new Step('-', a, block.a, b, block.b));
            else if (b < block.b) steps.add(new Step('+', a, block.a, b, block.b));
            a = block.a + block.size;
            b = block.b + block.size;
            if (block.size > 0) steps.add(new Step('=', block.a, a, block.b, b));
        }
        return steps;
    }

    private List<Block> blocks() {
        List<Block> found = new ArrayList<>();
        match(0, before.size(), 0, after.size(), found);
        List<Block> joined = new ArrayList<>();
        for (Block block : found) {
            Block last = joined.isEmpty() ? new Block(-1, -1, 0) : joined.getLast();
            if (last.size > 0 && last.a + last.size == block.a && last.b + last.size == block.b)
                joined.set(joined.size() - 1, new Block(last.a, last.b, last.size + block.size));
            else joined.add(block);
        }
        joined.add(new Block(before.size(), after.size(), 0));
        return joined;
    }

    private void match(int a1, int a2, int b1, int b2, List<Block> found) {
        Block longest = longest(a1, a2, b1, b2);
        if (longest.size == 0) return;
        match(a1, longest.a, b1, longest.b, found);
        found.add(longest);
        match(longest.a + longest.size, a2, longest.b + longest.size, b2, found);
    }

    private Block longest(int a1, int a2, int b1, int b2) {
        int a = a1;
        int b = b1;
        int size = 0;
        Map<Integer, Integer> lengths = new HashMap<>();
        for (int i = a1; i < a2; i++) {
            Map<Integer, Integer> next = new HashMap<>();
            for (int j : places.getOrDefault(before.get(i), List.of())) {
                if (j < b1) continue;
                if (j >= b2) break;
                int length = lengths.getOrDefault(j - 1, 0) + 1;
                next.put(j, length);
                if (length > size) {
                    a = i - length + 1;
                    b = j - length + 1;
                    size = length;
                }
            }
            lengths = next;
        }
        while (a > a1 && b > b1 && before.get(a - 1).equals(after.get(b - 1))) {
            a--;
            b--;
            size++;
        }
        while (a + size < a2 && b + size < b2 && before.get(a + size).equals(after.get(b + size))) size++;
        return new Block(a, b, size);
    }
}
