package dev.berth.apiserver.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that never changes: every put makes a new one that shares all but the path to the change. An AVL tree,
 * so that a snapshot costs nothing and a write costs the logarithm of what is stored.
 */
final class SortedTree {
    static final SortedTree EMPTY = new SortedTree(null);

    /** Takes the entries in order until it says that it has enough. */
    interface Visitor {
        boolean visit(String key, Stored value);
    }

    private record Node(
            String key,
            Stored value,
            @Nullable Node left,
            @Nullable Node right,
            int height,
            int size) {}

    private final @Nullable Node root;

    private SortedTree(@Nullable Node root) {
        this.root = root;
    }

    int size() {
        return size(root);
    }

    @Nullable
    Stored get(String key) {
        Node node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) return node.value;
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    SortedTree put(String key, Stored value) {
        return new SortedTree(put(root, key, value));
    }

    SortedTree remove(String key) {
        return get(key) == null ? this : new SortedTree(remove(Objects.requireNonNull(root), key));
    }

    /** Visits the entries whose key is not before {@code from} and starts with {@code prefix}. */
    void visit(String from, String prefix, Visitor visitor) {
        visit(root, from.compareTo(prefix) < 0 ? prefix : from, prefix, visitor);
    }

    /** How many keys with the prefix are not before {@code from}. */
    int count(String from, String prefix) {
        String start = from.compareTo(prefix) < 0 ? prefix : from;
        int[] found = {0};
        if (prefix.isEmpty()) return size() - before(start);
        visit(start, prefix, (key, value) -> {
            found[0]++;
            return true;
        });
        return found[0];
    }

    private int before(String key) {
        int count = 0;
        Node node = root;
        while (node != null) {
            if (node.key.compareTo(key) < 0) {
                count += size(node.left) + 1;
                node = node.right;
            } else {
                node = node.left;
            }
        }
        return count;
    }

    private static boolean visit(@Nullable Node node, String from, String prefix, Visitor visitor) {
        if (node == null) return true;
        boolean reached = node.key.compareTo(from) >= 0;
        if (reached && !visit(node.left, from, prefix, visitor)) return false;
        if (reached) {
            if (!node.key.startsWith(prefix)) return false;
            if (!visitor.visit(node.key, node.value)) return false;
        }
        return visit(node.right, from, prefix, visitor);
    }

    private static Node put(@Nullable Node node, String key, Stored value) {
        if (node == null) return node(key, value, null, null);
        int order = key.compareTo(node.key);
        if (order == 0) return new Node(key, value, node.left, node.right, node.height, node.size);
        if (order < 0) return balanced(node.key, node.value, put(node.left, key, value), node.right);
        return balanced(node.key, node.value, node.left, put(node.right, key, value));
    }

    private static @Nullable Node remove(Node node, String key) {
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balanced(node.key, node.value, remove(Objects.requireNonNull(node.left), key), node.right);
        }
        if (order > 0) {
            return balanced(node.key, node.value, node.left, remove(Objects.requireNonNull(node.right), key));
        }
        if (node.left == null) return node.right;
        if (node.right == null) return node.left;
        Node next = node.right;
        while (next.left != null) next = next.left;
        return balanced(next.key, next.value, node.left, remove(node.right, next.key));
    }

    private static Node balanced(String key, Stored value, @Nullable Node left, @Nullable Node right) {
        int tilt = height(left) - height(right);
        if (tilt > 1) {
            Node heavy = Objects.requireNonNull(left);
            if (height(heavy.left) >= height(heavy.right)) {
                return node(heavy.key, heavy.value, heavy.left, node(key, value, heavy.right, right));
            }
            Node middle = Objects.requireNonNull(heavy.right);
            return node(
                    middle.key,
                    middle.value,
                    node(heavy.key, heavy.value, heavy.left, middle.left),
                    node(key, value, middle.right, right));
        }
        if (tilt < -1) {
            Node heavy = Objects.requireNonNull(right);
            if (height(heavy.right) >= height(heavy.left)) {
                return node(heavy.key, heavy.value, node(key, value, left, heavy.left), heavy.right);
            }
            Node middle = Objects.requireNonNull(heavy.left);
            return node(
                    middle.key,
                    middle.value,
                    node(key, value, left, middle.left),
                    node(heavy.key, heavy.value, middle.right, heavy.right));
        }
        return node(key, value, left, right);
    }

    private static Node node(String key, Stored value, @Nullable Node left, @Nullable Node right) {
        return new Node(
                key, value, left, right, 1 + Math.max(height(left), height(right)), 1 + size(left) + size(right));
    }

    private static int height(@Nullable Node node) {
        return node == null ? 0 : node.height;
    }

    private static int size(@Nullable Node node) {
        return node == null ? 0 : node.size;
    }
}
