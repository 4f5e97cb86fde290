package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SortedTreeTest {
    private static List<String> keys(SortedTree tree, String from, String prefix) {
        List<String> keys = new ArrayList<>();
        tree.visit(from, prefix, (key, value) -> keys.add(key));
        return keys;
    }

    private static SortedTree of(String... keys) {
        SortedTree tree = SortedTree.EMPTY;
        for (String key : keys) tree = tree.put(key, Drafts.named(key).at(1));
        return tree;
    }

    @Test
    void keysComeInOrder() {
        assertThat(keys(of("b/2", "a/1", "b/1", "a-b/1"), "", "")).containsExactly("a-b/1", "a/1", "b/1", "b/2");
    }

    @Test
    void aPrefixSelectsOneNamespace() {
        assertThat(keys(of("b/2", "a/1", "b/1", "ba/1"), "", "b/")).containsExactly("b/1", "b/2");
    }

    @Test
    void aVisitBeginsWhereItIsTold() {
        assertThat(keys(of("a", "b", "c", "d"), "c", "")).containsExactly("c", "d");
        assertThat(keys(of("n/a", "n/b", "o/c"), "n/b", "n/")).containsExactly("n/b");
    }

    @Test
    void aVisitorThatHasEnoughIsNotAskedAgain() {
        List<String> seen = new ArrayList<>();
        of("a", "b", "c", "d").visit("", "", (key, value) -> {
            seen.add(key);
            return seen.size() < 2;
        });
        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void anOldTreeDoesNotSeeLaterChanges() {
        SortedTree before = of("a", "b");
        SortedTree after = before.put("c", Drafts.named("c").at(2)).remove("a");
        assertThat(keys(before, "", "")).containsExactly("a", "b");
        assertThat(keys(after, "", "")).containsExactly("b", "c");
    }

    @Test
    void countsWithoutVisitingEverything() {
        SortedTree tree = of("a", "b", "c", "d");
        assertThat(tree.size()).isEqualTo(4);
        assertThat(tree.count("c", "")).isEqualTo(2);
        assertThat(of("a/1", "b/1", "b/2", "c/1").count("b/2", "b/")).isEqualTo(1);
    }

    @Test
    void behavesLikeASortedMapUnderRandomChanges() {
        var random = new Random(20_261_115);
        var model = new TreeMap<String, Stored>();
        SortedTree tree = SortedTree.EMPTY;
        for (int i = 0; i < 5_000; i++) {
            String key = "k" + random.nextInt(600);
            if (random.nextInt(3) == 0) {
                tree = tree.remove(key);
                model.remove(key);
            } else {
                Stored value = Drafts.named(key).at(i + 1);
                tree = tree.put(key, value);
                model.put(key, value);
            }
            assertThat(tree.size()).isEqualTo(model.size());
            assertThat(tree.get(key)).isSameAs(model.get(key));
        }
        assertThat(keys(tree, "", "")).containsExactlyElementsOf(model.keySet());
    }
}
