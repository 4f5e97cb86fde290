package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;

/** Compares JSON values by what they mean: Jackson tells an int from a long, JSON does not. */
final class Scalars {
    private Scalars() {}

    static boolean same(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) return sameNumber(left, right);
        if (left.getNodeType() != right.getNodeType()) return false;
        if (!left.isContainerNode()) return left.equals(right);
        if (left.size() != right.size()) return false;
        return left.isObject() ? sameFields(left, right) : sameItems(left, right);
    }

    private static boolean sameNumber(JsonNode left, JsonNode right) {
        if (left.isIntegralNumber() && right.isIntegralNumber()) {
            if (left.canConvertToLong() && right.canConvertToLong()) return left.longValue() == right.longValue();
            return left.bigIntegerValue().equals(right.bigIntegerValue());
        }
        return left.decimalValue().compareTo(right.decimalValue()) == 0;
    }

    private static boolean sameFields(JsonNode left, JsonNode right) {
        for (var field : left.properties()) {
            JsonNode other = right.get(field.getKey());
            if (other == null || !same(field.getValue(), other)) return false;
        }
        return true;
    }

    private static boolean sameItems(JsonNode left, JsonNode right) {
        Iterator<JsonNode> others = right.iterator();
        for (JsonNode item : left) {
            if (!same(item, others.next())) return false;
        }
        return true;
    }
}
