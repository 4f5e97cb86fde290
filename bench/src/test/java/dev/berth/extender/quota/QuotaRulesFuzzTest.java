package dev.berth.extender.quota;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any text in the quota's ConfigMap is read, or refused with words; no limit is below nothing. */
class QuotaRulesFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isReadOrRefused(byte[] text) {
        QuotaRules rules;
        try {
            rules = QuotaRules.parse(new String(text, UTF_8));
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return;
        }
        rules.byNamespace()
                .values()
                .forEach(rule -> rule.gpus()
                        .keySet()
                        .forEach(model -> assertThat(rule.limit(model)).isNotNegative()));
    }
}
