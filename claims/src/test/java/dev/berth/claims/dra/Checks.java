package dev.berth.claims.dra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** What an allocation must say. */
final class Checks {
    private Checks() {}

    static void is(JsonNode allocation, String pointer, String value) {
        assertThat(allocation.at(pointer).asText()).as(pointer).isEqualTo(value);
    }

    static void absent(JsonNode allocation, String pointer) {
        assertThat(allocation.at(pointer).isMissingNode())
                .as("%s is absent", pointer)
                .isTrue();
    }
}
