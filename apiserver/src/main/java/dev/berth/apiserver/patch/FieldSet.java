package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields in the very form that {@code fieldsV1} has on the wire: a tree whose keys are path elements, where an
 * empty object is a member, and {@code "."} marks a member that has members below it. Keeping that form saves every
 * write from encoding and decoding it. The trees are never changed once they are in a set.
 */
record FieldSet(ObjectNode tree) {
    private static final String SELF = ".";
    private static final ObjectNode LEAF = new ObjectNode(JsonNodeFactory.instance, Map.of());

    static FieldSet empty() {
        return new FieldSet(node());
    }

    static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A member with nothing below it: one for all, and a change of it fails. */
    static ObjectNode leaf() {
        return LEAF;
    }

    /** A node that is a member and expects members below it. */
    static ObjectNode memberWithChildren() {
        ObjectNode node = node();
        node.set(SELF, LEAF);
        return node;
    }

    boolean isEmpty() {
        return tree.isEmpty();
    }

    FieldSet union(FieldSet other) {
        if (isEmpty()) return other;
        if (other.isEmpty()) return this;
        ObjectNode result = node();
        result.setAll(tree);
        other.tree.properties().forEach(child -> {
            JsonNode mine = tree.get(child.getKey());
            result.set(child.getKey(), mine == null ? child.getValue() : unionOf(mine, child.getValue()));
        });
        return new FieldSet(result);
    }

    private static ObjectNode unionOf(JsonNode left, JsonNode right) {
        ObjectNode children = new FieldSet(childrenOf(left)).union(new FieldSet(childrenOf(right))).tree;
        return withMembership(isMember(left) || isMember(right), children);
    }

    FieldSet minus(FieldSet other) {
        if (isEmpty() || other.isEmpty()) return this;
        ObjectNode result = node();
        tree.properties().forEach(child -> {
            JsonNode theirs = other.tree.get(child.getKey());
            if (theirs == null) {
                result.set(child.getKey(), child.getValue());
            } else {
                ObjectNode rest =
                        new FieldSet(childrenOf(child.getValue())).minus(new FieldSet(childrenOf(theirs))).tree;
                add(result, child.getKey(), isMember(child.getValue()) && !isMember(theirs), rest);
            }
        });
        return new FieldSet(result);
    }

    FieldSet intersect(FieldSet other) {
        ObjectNode result = node();
        tree.properties().forEach(child -> {
            JsonNode theirs = other.tree.get(child.getKey());
            if (theirs == null) return;
            ObjectNode both =
                    new FieldSet(childrenOf(child.getValue())).intersect(new FieldSet(childrenOf(theirs))).tree;
            add(result, child.getKey(), isMember(child.getValue()) && isMember(theirs), both);
        });
        return new FieldSet(result);
    }

    /** Without the field and all that lies below it. */
    FieldSet without(String field) {
        String key = PathElement.field(field);
        if (!tree.has(key)) return this;
        ObjectNode result = node();
        result.setAll(tree);
        result.remove(key);
        return new FieldSet(result);
    }

    /** The set, and with it the declared fields on the way to its members. */
    FieldSet withNamedParents(@Nullable Schema schema) {
        ObjectNode result = node();
        tree.properties().forEach(child -> {
            String key = child.getKey();
            Schema below = key.startsWith("f:") ? Shape.child(schema, key.substring(2)) : Shape.item(schema);
            boolean named = key.startsWith("f:") && Shape.declares(schema, key.substring(2));
            ObjectNode children = new FieldSet(childrenOf(child.getValue())).withNamedParents(below).tree;
            add(result, key, named || isMember(child.getValue()), children);
        });
        return new FieldSet(result);
    }

    boolean hasMember(String key) {
        JsonNode child = tree.get(key);
        return child != null && isMember(child);
    }

    /** What the set says of the things below one key. */
    FieldSet below(String key) {
        JsonNode child = tree.get(key);
        return child == null ? empty() : new FieldSet(childrenOf(child));
    }

    /** The members as messages write them, such as {@code .spec.containers[name="a"].image}. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        collect("", paths);
        return paths;
    }

    private void collect(String prefix, List<String> paths) {
        var sorted = new TreeMap<String, JsonNode>();
        tree.properties().forEach(child -> sorted.put(child.getKey(), child.getValue()));
        sorted.forEach((key, child) -> {
            if (isMember(child)) paths.add(prefix + PathElement.display(key));
        });
        sorted.forEach(
                (key, child) -> new FieldSet(childrenOf(child)).collect(prefix + PathElement.display(key), paths));
    }

    static boolean isMember(JsonNode node) {
        return node.isEmpty() || node.has(SELF);
    }

    private static ObjectNode childrenOf(JsonNode node) {
        if (!node.has(SELF)) return (ObjectNode) node;
        ObjectNode children = node();
        node.properties().forEach(child -> {
            if (!child.getKey().equals(SELF)) children.set(child.getKey(), child.getValue());
        });
        return children;
    }

    private static void add(ObjectNode parent, String key, boolean member, ObjectNode children) {
        if (member || !children.isEmpty()) parent.set(key, withMembership(member, children));
    }

    private static ObjectNode withMembership(boolean member, ObjectNode children) {
        if (!member || children.isEmpty()) return children;
        ObjectNode result = memberWithChildren();
        result.setAll(children);
        return result;
    }
}
