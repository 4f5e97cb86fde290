package dev.berth.advisor.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A JSON object whose fields are taken out one by one; what is wrong is collected and told at the end. */
final class Body {
    /** Python's parser knows the word NaN; so that it is named as a wrong run time, ours does, too. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final ObjectNode object;
    private final List<Invalid> problems = new ArrayList<>();

    private Body(ObjectNode object) {
        this.object = object;
    }

    static Body of(byte[] bytes, boolean isJson) throws InvalidBodyException {
        if (bytes.length == 0) {
            throw new InvalidBodyException(List.of(
                    new Invalid("missing", List.of("body"), "Field required", JsonNodeFactory.instance.nullNode())));
        }
        if (!isJson) {
            throw notAnObject(JsonNodeFactory.instance.textNode(new String(bytes, StandardCharsets.UTF_8)));
        }
        try {
            if (JSON.readTree(bytes) instanceof ObjectNode object) {
                return new Body(object);
            }
            throw notAnObject(JSON.readTree(bytes));
        } catch (JsonProcessingException malformed) {
            throw notJson(place(malformed), malformed.getOriginalMessage());
        } catch (IOException notText) {
            // Jackson takes a body that begins with zeros for UTF-16 or UTF-32, and it may be neither.
            throw notJson(0, String.valueOf(notText.getMessage()));
        }
    }

    private static InvalidBodyException notJson(int place, String why) {
        return new InvalidBodyException(List.of(new Invalid(
                Invalid.MALFORMED,
                List.of("body", place),
                "JSON decode error",
                JsonNodeFactory.instance.objectNode(),
                Map.of("error", why))));
    }

    /** Where the text stops to be JSON. */
    private static int place(JsonProcessingException malformed) {
        var location = malformed.getLocation();
        long at = location == null ? 0 : Math.max(0, location.getByteOffset());
        return (int) Math.min(at, Integer.MAX_VALUE);
    }

    private static InvalidBodyException notAnObject(JsonNode input) {
        return new InvalidBodyException(List.of(new Invalid(
                "model_attributes_type",
                List.of("body"),
                "Input should be a valid dictionary or object to extract fields from",
                input)));
    }

    boolean has(String field) {
        return object.has(field);
    }

    String text(String field) {
        var value = required(field);
        if (value.isTextual()) {
            return value.textValue();
        }
        if (!value.isMissingNode()) {
            wrong("string_type", "Input should be a valid string", value, "body", field);
        }
        return "";
    }

    /** A text that a database can keep and find again. */
    String name(String field) {
        var name = text(field);
        checkName(name, "body", field);
        return name;
    }

    List<String> names(String field) {
        var names = texts(field, false);
        for (int i = 0; i < names.size(); i++) checkName(names.get(i), "body", field, i);
        return names;
    }

    private void checkName(String name, Object... location) {
        var input = JsonNodeFactory.instance.textNode(name);
        if (Names.isTooLong(name)) {
            wrong(
                    "string_too_long",
                    "String should have at most %d characters".formatted(Names.MOST_CHARACTERS),
                    input,
                    location);
        } else if (!Names.isText(name)) {
            wrong(
                    "string_unicode",
                    "Input should be a valid string, unable to parse raw data as a unicode string",
                    input,
                    location);
        }
    }

    private JsonNode required(String field) {
        var value = object.path(field);
        if (value.isMissingNode()) {
            wrong("missing", "Field required", object, "body", field);
        }
        return value;
    }

    List<String> texts(String field, boolean isRequired) {
        var value = isRequired ? required(field) : object.path(field);
        if (value.isMissingNode()) {
            return List.of();
        }
        if (!value.isArray()) {
            wrong("list_type", "Input should be a valid list", value, "body", field);
            return List.of();
        }
        List<String> texts = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            if (value.get(i).isTextual()) {
                texts.add(value.get(i).textValue());
            } else {
                wrong("string_type", "Input should be a valid string", value.get(i), "body", field, i);
            }
        }
        return texts;
    }

    ObjectNode map(String field) {
        var value = object.path(field);
        if (value instanceof ObjectNode map) {
            return map;
        }
        if (!value.isMissingNode()) {
            wrong("dict_type", "Input should be a valid dictionary", value, "body", field);
        }
        return JsonNodeFactory.instance.objectNode();
    }

    /** A positive number, or its text. */
    OptionalDouble positive(String field, double most) {
        var value = required(field);
        if (value.isMissingNode()) {
            return OptionalDouble.empty();
        }
        var read = value.isTextual()
                ? PythonNumber.read(value.textValue())
                : OptionalDouble.of(value.asDouble(Double.NaN));
        if (read.isEmpty()) {
            wrong(
                    "float_parsing",
                    "Input should be a valid number, unable to parse string as a number",
                    value,
                    "body",
                    field);
            return OptionalDouble.empty();
        }
        double number = read.getAsDouble();
        if (!value.isTextual() && !value.isNumber()) {
            wrong("float_type", "Input should be a valid number", value, "body", field);
        } else if (Double.isNaN(number) || Double.isInfinite(number)) {
            // NaN and infinity cannot be shown as a number again.
            wrong(
                    "finite_number",
                    "Input should be a finite number",
                    JsonNodeFactory.instance.textNode(value.asText()),
                    "body",
                    field);
        } else if (number <= 0) {
            wrong("greater_than", "Input should be greater than 0", value, "body", field);
        } else if (number > most) {
            wrong(
                    "less_than_equal",
                    "Input should be less than or equal to %.0f".formatted(most),
                    value,
                    "body",
                    field);
        } else {
            return OptionalDouble.of(number);
        }
        return OptionalDouble.empty();
    }

    /** Yes or no, as a boolean or in pydantic's numbers and words; empty where nothing is said. */
    Optional<Boolean> yesOrNo(String field) {
        var value = object.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        var answer = YesOrNo.of(value.asText());
        if (answer.isEmpty()) {
            wrong("bool_parsing", "Input should be a valid boolean, unable to interpret input", value, "body", field);
        }
        return answer;
    }

    JsonNode field(String name) {
        return object.path(name);
    }

    private void wrong(String type, String message, JsonNode input, Object... location) {
        problems.add(new Invalid(type, List.of(location), message, input));
    }

    /** To be called when all fields are taken out. */
    void check() throws InvalidBodyException {
        if (!problems.isEmpty()) {
            throw new InvalidBodyException(problems);
        }
    }
}
