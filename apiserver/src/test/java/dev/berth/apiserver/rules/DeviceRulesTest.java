package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.status.FieldError;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the device kinds' own rules say. */
class DeviceRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    private final DeviceTaintRuleRules rules = new DeviceTaintRuleRules(() -> NOW);

    private static ObjectNode object(String yaml) {
        try {
            return (ObjectNode) new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    @Test
    void aTaintTellsWhenItsEffectBegan() {
        var rule = object("{spec: {taint: {key: k, effect: NoSchedule}}}");
        rules.applyDefaults(rule);
        assertThat(rule.at("/spec/taint/timeAdded").asText()).isEqualTo("2026-11-17T12:00:00Z");

        var old = object("{spec: {taint: {key: k, effect: None, timeAdded: '2026-01-01T00:00:00Z'}}}");
        var renamed = object("{spec: {taint: {key: l, effect: None, timeAdded: '2026-01-01T00:00:00Z'}}}");
        rules.prepareForUpdate(renamed, old);
        assertThat(renamed.at("/spec/taint/timeAdded").asText()).isEqualTo("2026-01-01T00:00:00Z");

        var changed = object("{spec: {taint: {key: k, effect: NoExecute, timeAdded: '2026-01-01T00:00:00Z'}}}");
        rules.prepareForUpdate(changed, old);
        assertThat(changed.at("/spec/taint/timeAdded").asText()).isEqualTo("2026-11-17T12:00:00Z");

        var dated = object("{spec: {taint: {key: k, effect: NoExecute, timeAdded: '2026-02-02T00:00:00Z'}}}");
        rules.prepareForUpdate(dated, old);
        assertThat(dated.at("/spec/taint/timeAdded").asText()).isEqualTo("2026-02-02T00:00:00Z");
    }

    @Test
    void aTaintNeedsAnEffectThatThereIs() {
        assertThat(rules.validate(object("{spec: {taint: {key: k, effect: Some}}}")))
                .extracting(FieldError::field)
                .containsExactly("spec.taint.effect");
        assertThat(rules.validate(object("{spec: {deviceSelector: {device: A_B}, taint: {key: k, effect: None}}}")))
                .extracting(FieldError::field)
                .containsExactly("spec.deviceSelector.device");
    }
}
