package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NameClaimsTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.5Z");

    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);

    @Test
    void freeNamesAreAccepted() {
        assertThat(NameClaims.settle(widgets("{type: object}"), catalog, NOW)).isEqualTo(yaml("""
                                acceptedNames: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
                                conditions:
                                - {type: NamesAccepted, status: 'True', reason: NoConflicts, message: no conflicts found, lastTransitionTime: '2026-01-01T00:00:00Z'}
                                - {type: Established, status: 'True', reason: InitialNamesAccepted, message: the initial names have been accepted, lastTransitionTime: '2026-01-01T00:00:00Z'}
                                storedVersions: [v1]
                                """));
    }

    @Test
    void aSettledStatusStaysAsItIs() {
        ObjectNode definition = widgets("{type: object}");
        ObjectNode first = NameClaims.settle(definition, catalog, NOW);
        definition.set("status", first);
        catalog.define(definition);
        assertThat(NameClaims.settle(definition, catalog, NOW.plusSeconds(60))).isEqualTo(first);
    }

    @Test
    void namesThatAnotherDefinitionHoldsAreNot() {
        catalog.define(widgets("{type: object}"));
        ObjectNode other = widgets("{type: object}");
        other.withObjectProperty("metadata").put("name", "gadgets.example.com");
        ((ObjectNode) other.at("/spec/names")).put("plural", "gadgets").put("singular", "gadget");
        ObjectNode status = NameClaims.settle(other, catalog, NOW);
        assertThat(NameClaims.isEstablished(status)).isFalse();
        assertThat(status.at("/conditions/0/message").asText())
                .contains("\"wd\" is already in use", "\"Widget\" is already in use");
        assertThat(status.at("/conditions/1/reason").asText()).isEqualTo("NotAccepted");
        assertThat(status.path("acceptedNames").has("kind")).isFalse();
    }
}
