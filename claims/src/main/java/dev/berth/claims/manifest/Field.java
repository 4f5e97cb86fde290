package dev.berth.claims.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A value of a manifest that knows where it stands, so that whoever cannot use it can say so. */
public final class Field {
    private final JsonNode value;
    private final Manifest.Origin origin;
    private final String pointer;
    private final String path;

    Field(JsonNode value, Manifest.Origin origin, String pointer, String path) {
        this.value = value;
        this.origin = origin;
        this.pointer = pointer;
        this.path = path;
    }

    public JsonNode value() {
        return value;
    }

    public boolean isList() {
        return value.isArray();
    }

    public boolean isObject() {
        return value.isObject();
    }

    public ManifestException problem(String what) {
        return origin.problem(pointer, path, what);
    }

    /** The object's fields, to be asked for one by one. */
    public Fields fields() {
        if (!value.isObject()) {
            throw problem("must be an object, not " + described());
        }
        return new Fields(this);
    }

    public List<Field> items() {
        if (!value.isArray()) {
            throw problem("must be a list, not " + described());
        }
        List<Field> items = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            items.add(new Field(value.get(i), origin, pointer + "/" + i, path + "[" + i + "]"));
        }
        return items;
    }

    /** The entries of an object whose keys are names. */
    public Map<String, Field> entries() {
        if (!value.isObject()) {
            throw problem("must be an object, not " + described());
        }
        Map<String, Field> entries = new TreeMap<>();
        value.properties().forEach(entry -> entries.put(entry.getKey(), child(entry.getKey())));
        return entries;
    }

    public List<String> texts() {
        return items().stream().map(Field::text).toList();
    }

    /** A text that is not empty. */
    public String text() {
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw problem("must be a text, not " + described());
        }
        return value.textValue();
    }

    /** A text; a number or a truth value that somebody forgot to quote is one too. */
    public String looseText() {
        if (!value.isValueNode() || value.isNull()) {
            throw problem("must be a text, not " + described());
        }
        return value.asText();
    }

    public boolean flag() {
        if (!value.isBoolean()) {
            throw problem("must be true or false, not " + described());
        }
        return value.booleanValue();
    }

    public long whole() {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        throw problem("must be a whole number, not " + described());
    }

    /** A whole number of things, quoted or not. */
    public int count() {
        Quantity quantity = quantity();
        try {
            int count = quantity.value().intValueExact();
            if (count >= 0) {
                return count;
            }
        } catch (ArithmeticException _) {
            // told below, together with what is negative
        }
        throw problem("must be a whole number from 0 on, not " + described());
    }

    public Quantity quantity() {
        if (!value.isTextual() && !value.isNumber()) {
            throw problem("must be a quantity such as 2 or 16Gi, not " + described());
        }
        try {
            return Quantity.parse(value.asText());
        } catch (IllegalArgumentException notOne) {
            throw problem("must be a quantity such as 2 or 16Gi, not " + described());
        }
    }

    Field child(String name) {
        String step = name.replace("~", "~0").replace("/", "~1");
        return new Field(value.path(name), origin, pointer + "/" + step, path.isEmpty() ? name : path + "." + name);
    }

    private String described() {
        return switch (value.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case NULL, MISSING -> "nothing";
            case STRING -> "'" + shortened(value.textValue()) + "'";
            case NUMBER, BOOLEAN, BINARY, POJO -> shortened(value.asText());
        };
    }

    private static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
