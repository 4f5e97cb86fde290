package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.status.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases too large to be kept as files; the answers are the real server's. */
class SizeLimitsTest {
    private final LiveCatalog catalog = new LiveCatalog(Schemas.load());
    private final Rules rules = new Rules();

    @Test
    void aConfigMapHoldsOneMebibyte() {
        assertThat(refusals("ConfigMap", "data", 1024 * 1024)).isEmpty();
        assertThat(refusals("ConfigMap", "data", 1024 * 1024 + 1))
                .containsExactly(
                        new FieldError("FieldValueTooLong", "[]", "Too long: may not be more than 1048576 bytes"));
    }

    @Test
    void aSecretHoldsOneMebibyte() {
        assertThat(refusals("Secret", "stringData", 1024 * 1024)).isEmpty();
        assertThat(refusals("Secret", "stringData", 1024 * 1024 + 1))
                .containsExactly(
                        new FieldError("FieldValueTooLong", "data", "Too long: may not be more than 1048576 bytes"));
    }

    private List<FieldError> refusals(String kind, String field, int characters) {
        var object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", "m").put("namespace", "n");
        object.putObject(field).put("a", "x".repeat(characters));
        KindRules kindRules = rules.of(catalog.byKind("v1", kind).orElseThrow());
        kindRules.applyDefaults(object);
        kindRules.prepareForCreate(object);
        return kindRules.validate(object);
    }
}
