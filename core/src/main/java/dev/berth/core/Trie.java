package dev.berth.core;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map whose changed copies share all but a few small arrays with the original: a change costs the same
 * however large the map is, and so does finding what changed between two of them.
 *
 * @param <K> has a good hash
 */
final class Trie<K, V> {
    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;

    /** A branch holds nodes by the next bits of the hash, a leaf all entries of one hash. */
    private sealed interface Node<K, V> {}

    private static final class Branch<K, V> implements Node<K, V> {
        private final @Nullable Node<K, V>[] children;

        Branch(@Nullable Node<K, V>[] children) {
            this.children = children;
        }
    }

    private record Leaf<K, V>(
            int hash, K key, V value, @Nullable Leaf<K, V> next) implements Node<K, V> {}

    private final @Nullable Node<K, V> root;
    private final int size;

    private Trie(@Nullable Node<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    static <K, V> Trie<K, V> empty() {
        return new Trie<>(null, 0);
    }

    int size() {
        return size;
    }

    Optional<V> find(K key) {
        int hash = spread(key);
        Node<K, V> node = root;
        for (int shift = 0; node instanceof Branch<K, V> branch; shift += BITS) {
            node = branch.children[slot(hash, shift)];
        }
        var leaf = node instanceof Leaf<K, V> found && found.hash() == hash ? find(found, key) : null;
        return leaf == null ? Optional.empty() : Optional.of(leaf.value());
    }

    private static <K, V> @Nullable Leaf<K, V> find(@Nullable Leaf<K, V> chain, K key) {
        for (var leaf = chain; leaf != null; leaf = leaf.next()) {
            if (leaf.key().equals(key)) {
                return leaf;
            }
        }
        return null;
    }

    @SuppressWarnings(
            "ReferenceEquality") // an equal value that is another object would be a change to those who compare
    Trie<K, V> with(K key, V value) {
        var before = find(key);
        if (before.isPresent() && before.get() == value) {
            return this;
        }
        int hash = spread(key);
        return new Trie<>(put(root, 0, hash, key, value), before.isPresent() ? size : size + 1);
    }

    private static <K, V> Node<K, V> put(@Nullable Node<K, V> node, int shift, int hash, K key, V value) {
        return switch (node) {
            case null -> new Leaf<>(hash, key, value, null);
            case Branch<K, V> branch -> {
                var copy = branch.children.clone();
                int slot = slot(hash, shift);
                copy[slot] = put(copy[slot], shift + BITS, hash, key, value);
                yield new Branch<>(copy);
            }
            case Leaf<K, V> leaf when leaf.hash() == hash -> new Leaf<>(hash, key, value, drop(leaf, key));
            case Leaf<K, V> leaf -> {
                var branch = new Branch<>(Trie.<K, V>slots());
                branch.children[slot(leaf.hash(), shift)] = leaf;
                yield put(branch, shift, hash, key, value);
            }
        };
    }

    @SuppressWarnings("unchecked") // Java cannot make an array of a generic type
    private static <K, V> @Nullable Node<K, V>[] slots() {
        return (Node<K, V>[]) new Node<?, ?>[WIDTH];
    }

    Trie<K, V> without(K key) {
        return find(key).isEmpty() ? this : new Trie<>(remove(root, 0, spread(key), key), size - 1);
    }

    /** An emptied branch stays: it costs little, and node names come back. */
    private static <K, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, int shift, int hash, K key) {
        return switch (node) {
            case null -> null;
            case Leaf<K, V> leaf -> drop(leaf, key);
            case Branch<K, V> branch -> {
                var copy = branch.children.clone();
                int slot = slot(hash, shift);
                copy[slot] = remove(copy[slot], shift + BITS, hash, key);
                yield new Branch<>(copy);
            }
        };
    }

    private static <K, V> @Nullable Leaf<K, V> drop(@Nullable Leaf<K, V> chain, K key) {
        if (chain == null) {
            return null;
        }
        var rest = drop(chain.next(), key);
        return chain.key().equals(key) ? rest : new Leaf<>(chain.hash(), chain.key(), chain.value(), rest);
    }

    void forEach(BiConsumer<K, V> action) {
        visit(root, action);
    }

    private static <K, V> void visit(@Nullable Node<K, V> node, BiConsumer<K, V> action) {
        switch (node) {
            case null -> {}
            case Leaf<K, V> chain -> {
                for (@Nullable Leaf<K, V> leaf = chain; leaf != null; leaf = leaf.next()) {
                    action.accept(leaf.key(), leaf.value());
                }
            }
            case Branch<K, V> branch -> {
                for (var child : branch.children) {
                    visit(child, action);
                }
            }
        }
    }

    /** Names every key whose value differs from that in the earlier map. */
    void changesSince(Trie<K, V> earlier, BiConsumer<K, Optional<V>> changed) {
        compare(earlier.root, root, earlier, changed);
    }

    @SuppressWarnings("ReferenceEquality") // shared parts are the same object; that is what makes it quick
    private void compare(
            @Nullable Node<K, V> before,
            @Nullable Node<K, V> after,
            Trie<K, V> earlier,
            BiConsumer<K, Optional<V>> changed) {
        if (before == after) {
            return;
        }
        if (before instanceof Branch<K, V> old && after instanceof Branch<K, V> now) {
            for (int slot = 0; slot < WIDTH; slot++) {
                compare(old.children[slot], now.children[slot], earlier, changed);
            }
            return;
        }
        visit(before, (key, value) -> {
            if (find(key).isEmpty()) {
                changed.accept(key, Optional.empty());
            }
        });
        visit(after, (key, value) -> {
            if (!Objects.equals(earlier.find(key).orElse(null), value)) {
                changed.accept(key, Optional.of(value));
            }
        });
    }

    private static int spread(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    private static int slot(int hash, int shift) {
        return (hash >>> shift) & (WIDTH - 1);
    }
}
