package dev.berth.pinner.map;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which GPUs a list names: by index, by UUID, or all of them.
 *
 * @param strange the words in the list that name no GPU
 */
public record GpuNames(NavigableSet<Integer> indexes, NavigableSet<String> uuids, boolean all, List<String> strange) {
    private static final Pattern INDEX = Pattern.compile("\\d{1,4}");
    private static final Pattern UUID = Pattern.compile("(GPU|MIG)-[0-9A-Za-z/.-]{1,200}");
    /** What people write for no GPU at all. */
    private static final Set<String> NONE = Set.of("", "-1", "none", "void", "NoDevFiles");

    public GpuNames {
        indexes = Collections.unmodifiableNavigableSet(new TreeSet<>(indexes));
        uuids = Collections.unmodifiableNavigableSet(new TreeSet<>(uuids));
        strange = List.copyOf(strange);
    }

    /** What a list such as {@code 0,1} or {@code GPU-5c…} says. */
    public static GpuNames of(String list) {
        var indexes = new TreeSet<Integer>();
        var uuids = new TreeSet<String>();
        var strange = new ArrayList<String>();
        boolean all = false;
        var words = list.split(",", -1);
        for (var each : words) {
            var word = Whitespace.trim(each);
            if (INDEX.matcher(word).matches()) {
                indexes.add(Integer.parseInt(word));
            } else if (UUID.matcher(word).matches()) {
                uuids.add(word);
            } else if (word.equals("all")) {
                all = true;
            } else if (words.length > 1 || !NONE.contains(word)) {
                strange.add(word);
            }
        }
        return new GpuNames(indexes, uuids, all, strange);
    }

    /** The indexes that a node with so many GPUs does not have. */
    public NavigableSet<Integer> beyond(int count) {
        return indexes.tailSet(count, true);
    }

    /** Those that are named one by one, each as people write it. */
    Stream<String> names() {
        return Stream.concat(indexes.stream().map(String::valueOf), uuids.stream());
    }

    /** A GPU that both name. */
    Optional<String> meeting(GpuNames other) {
        if ((all && !other.nothing()) || (other.all && !nothing())) {
            return Optional.of("all");
        }
        return indexes.stream()
                .filter(other.indexes::contains)
                .map(String::valueOf)
                .findFirst()
                .or(() -> uuids.stream().filter(other.uuids::contains).findFirst());
    }

    boolean nothing() {
        return indexes.isEmpty() && uuids.isEmpty() && !all;
    }
}
