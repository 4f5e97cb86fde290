package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.status.FieldError;
import java.time.Instant;
import java.util.Map;
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

    private static final String LABEL_NEEDED =
            "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace";

    /** The namespace open has the label, the others have not. */
    private static ResourceClaimRules claimRules(boolean template) {
        return new ResourceClaimRules(
                template,
                new AdminAccess(namespace -> namespace.equals("open")
                        ? Map.of("resource.kubernetes.io/admin-access", "true")
                        : Map.of("resource.kubernetes.io/admin-access", "false")));
    }

    private static final String REQUESTS =
            "{devices: {requests: [{name: a, exactly: {deviceClassName: c, allocationMode: All, adminAccess: %s}}]}}";

    @Test
    void adminAccessIsForNamespacesThatHaveTheLabel() {
        String claim = "{metadata: {name: c, namespace: %s}, spec: " + REQUESTS + "}";
        assertThat(claimRules(false).validate(object(claim.formatted("closed", "true"))))
                .containsExactly(FieldError.forbidden("spec.devices.requests[0].adminAccess", LABEL_NEEDED));
        assertThat(claimRules(false).validate(object(claim.formatted("closed", "false"))))
                .isEmpty();
        assertThat(claimRules(false).validate(object(claim.formatted("open", "true"))))
                .isEmpty();

        String template = "{metadata: {name: c, namespace: %s}, spec: {spec: " + REQUESTS + "}}";
        assertThat(claimRules(true).validate(object(template.formatted("closed", "true"))))
                .containsExactly(FieldError.forbidden("spec.devices.requests[0].adminAccess", LABEL_NEEDED));
        assertThat(claimRules(true).validate(object(template.formatted("open", "true"))))
                .isEmpty();
    }

    @Test
    void adminAccessIsGrantedInTheSameNamespacesAndStays() {
        String claim = "{metadata: {name: c, namespace: %s}, spec: " + REQUESTS + ", status: %s}";
        String given =
                "{allocation: {devices: {results: [{request: a, driver: d.example.com, pool: p, device: d, adminAccess: true}]}}}";
        var before = object(claim.formatted("closed", "true", "{}"));
        var after = object(claim.formatted("closed", "true", given));
        assertThat(claimRules(false).validateStatusUpdate(after, before))
                .containsExactly(
                        FieldError.forbidden("status.allocation.devices.results[0].adminAccess", LABEL_NEEDED));
        assertThat(claimRules(false).validateStatusUpdate(after, after)).isEmpty();
        assertThat(claimRules(false).validateStatusUpdate(object(claim.formatted("open", "true", given)), before))
                .isEmpty();
    }
}
