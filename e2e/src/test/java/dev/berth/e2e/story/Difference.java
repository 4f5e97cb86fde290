package dev.berth.e2e.story;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What differs between two texts, line by line, with a little of what is around it. */
final class Difference {
    private static final int AROUND = 3;

    private Difference() {}

    static Optional<String> between(String expected, String actual) {
        if (expected.equals(actual)) return Optional.empty();
        var lines = merge(expected.lines().toList(), actual.lines().toList());
        var shown = new StringBuilder();
        int last = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (!near(lines, i)) continue;
            if (last >= 0 && i > last + 1) shown.append("  …\n");
            // The request that the difference belongs to, when it is too far above to be shown.
            if (i > last + 1)
                requestAbove(lines, i).ifPresent(line -> shown.append(line).append('\n'));
            shown.append(lines.get(i)).append('\n');
            last = i;
        }
        return Optional.of(shown.toString());
    }

    private static boolean near(List<String> lines, int index) {
        for (int i = Math.max(0, index - AROUND); i <= Math.min(lines.size() - 1, index + AROUND); i++) {
            if (!lines.get(i).startsWith(" ")) return true;
        }
        return false;
    }

    private static Optional<String> requestAbove(List<String> lines, int index) {
        for (int i = index - 1; i >= 0; i--) {
            if (lines.get(i).startsWith("  > ")) return Optional.of(lines.get(i));
        }
        return Optional.empty();
    }

    /** The longest common subsequence, marked up: two spaces for what is common. */
    private static List<String> merge(List<String> a, List<String> b) {
        int[][] length = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                length[i][j] = a.get(i).equals(b.get(j))
                        ? length[i + 1][j + 1] + 1
                        : Math.max(length[i + 1][j], length[i][j + 1]);
            }
        }
        List<String> merged = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                merged.add("  " + a.get(i++));
                j++;
            } else if (j == b.size() || (i < a.size() && length[i + 1][j] >= length[i][j + 1])) {
                merged.add("- " + a.get(i++));
            } else {
                merged.add("+ " + b.get(j++));
            }
        }
        return merged;
    }
}
