package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Facts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a listener within the server is given: the tree of the write itself, or one parsed from what is stored. */
class ListenerTreeTest {
    private static final ResourceType PODS =
            new LiveCatalog(Schemas.load()).byPath("", "v1", "pods").orElseThrow();
    private static final Facts NO_FACTS = new Facts("", Map.of(), List.of());
    private static final String POD =
            "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','managedFields':[{'manager':'m'}],'labels':{'a':'b'}},'spec':{'containers':[{'name':'c'}],'nodeName':'n','priority':3},'status':{'phase':'Pending'}}"
                    .replace('\'', '"');

    private final Api.Listener listener = new Api.Listener() {
        @Override
        public void changed(ObjectNode object) {}

        @Override
        public void deleted(ObjectNode object) {}

        @Override
        public boolean reads(String parent, String field) {
            return !field.equals("managedFields") && !field.equals("containers") && !field.equals("status");
        }
    };

    private static ObjectNode pod() throws IOException {
        return (ObjectNode) Json.parse(POD.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void freshOrParsedItIsTheSame() throws IOException {
        ObjectNode written = pod();
        var fresh = Json.draft(written, NO_FACTS).preview(7);
        byte[] bytes = fresh.json();
        int hole = new String(bytes, StandardCharsets.UTF_8).indexOf("\"7\"") + 1;
        var empty = (new String(bytes, 0, hole, StandardCharsets.UTF_8)
                        + new String(bytes, hole + 1, bytes.length - hole - 1, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
        var parsed = new Draft(empty, hole, NO_FACTS).preview(7);

        assertThat(Objects.requireNonNull(fresh.tree())).isSameAs(written);
        assertThat(parsed.tree()).isNull();
        assertThat(Json.tree(PODS, fresh, listener))
                .isEqualTo(Json.tree(PODS, parsed, listener))
                .hasToString(
                        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','labels':{'a':'b'},'resourceVersion':'7'},'spec':{'nodeName':'n','priority':3}}"
                                .replace('\'', '"'));
    }

    @Test
    void whatAListenerDropsIsStillThereForTheNext() throws IOException {
        ObjectNode written = pod();
        var fresh = Json.draft(written, NO_FACTS).preview(7);

        ObjectNode told = Json.tree(PODS, fresh, listener);
        told.remove("spec");
        told.withObjectProperty("metadata").remove("labels");

        assertThat(written).isEqualTo(pod());
    }
}
