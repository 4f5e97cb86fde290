package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrieTest {
    /** Many keys of one hash, so that chains are walked too. */
    private record Key(int number) {
        @Override
        public int hashCode() {
            return number / 3;
        }
    }

    @Test
    void holdsWhatAHashMapHolds() {
        var random = new Random(1);
        var trie = Trie.<Key, Integer>empty();
        var map = new HashMap<Key, Integer>();
        for (int step = 0; step < 5_000; step++) {
            var key = new Key(random.nextInt(400));
            if (random.nextInt(3) == 0) {
                trie = trie.without(key);
                map.remove(key);
            } else {
                trie = trie.with(key, step);
                map.put(key, step);
            }
            assertThat(trie.size()).isEqualTo(map.size());
        }
        assertThat(contents(trie)).isEqualTo(map);
        for (int number = 0; number < 400; number++) {
            assertThat(trie.find(new Key(number)).orElse(null)).isEqualTo(map.get(new Key(number)));
        }
    }

    @Test
    void namesExactlyWhatChanged() {
        var random = new Random(2);
        var earlier = Trie.<Key, Integer>empty();
        for (int number = 0; number < 1_000; number++) {
            earlier = earlier.with(new Key(number), number);
        }
        var later = earlier;
        var touched = new HashSet<Key>();
        for (int change = 0; change < 20; change++) {
            var key = new Key(random.nextInt(1_100));
            touched.add(key);
            later = random.nextBoolean() ? later.without(key) : later.with(key, -change - 1);
        }
        var named = new HashSet<Key>();
        later.changesSince(earlier, (key, value) -> named.add(key));

        assertThat(touched).containsAll(named);
        var before = contents(earlier);
        var after = contents(later);
        touched.removeIf(key -> before.containsKey(key) == after.containsKey(key)
                && before.getOrDefault(key, 0).equals(after.getOrDefault(key, 0)));
        assertThat(named).containsExactlyInAnyOrderElementsOf(touched);
    }

    @Test
    void anOldOneStaysAsItWas() {
        var first = Trie.<Key, Integer>empty().with(new Key(1), 1);
        first.with(new Key(1), 2).without(new Key(1));

        assertThat(contents(first)).isEqualTo(Map.of(new Key(1), 1));
    }

    private static Map<Key, Integer> contents(Trie<Key, Integer> trie) {
        var contents = new HashMap<Key, Integer>();
        trie.forEach(contents::put);
        return contents;
    }
}
