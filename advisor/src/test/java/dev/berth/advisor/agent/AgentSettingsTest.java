package dev.berth.advisor.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.advisor.model.EmaSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentSettingsTest {
    @Test
    void anEmptyEnvironmentMeansTheStandard() {
        var settings = AgentSettings.of(Map.of());

        assertThat(settings.ema()).isEqualTo(EmaSettings.STANDARD);
        assertThat(settings.model()).isEqualTo("ema");
        assertThat(settings.database().name()).endsWith("/scheduler.db");
    }

    @Test
    void variablesAreReadInAnyLetterCase() {
        var settings = AgentSettings.of(Map.of(
                "SCHEDULER_LAMBDA_UNCERTAINTY", "0.5",
                "scheduler_beta_exploration", "1",
                "SCHEDULER_ENABLE_INTERFERENCE", "off",
                "SCHEDULER_RETENTION_OBSERVATIONS", "7",
                "SCHEDULER_MODEL", "bayes",
                "SCHEDULER_SQLITE_PATH", "/data/x.db",
                "UNRELATED", "x"));

        assertThat(settings.ema()).isEqualTo(new EmaSettings(0.5, 1, 0.5, 0.15, 0.25, false, 7));
        assertThat(settings.model()).isEqualTo("bayes");
        assertThat(settings.database().name()).isEqualTo("/data/x.db");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SCHEDULER_LAMBDA_UNCERTAINTY|much|SCHEDULER_LAMBDA_UNCERTAINTY must be a number, not 'much'",
                "SCHEDULER_TAU_SQUARED|0|SCHEDULER_TAU_SQUARED must be a number above 0, not '0'",
                "SCHEDULER_ENABLE_INTERFERENCE|perhaps|SCHEDULER_ENABLE_INTERFERENCE must be one of true, 1, yes, on, t, y, false, 0, no, off, f, n, not 'perhaps'",
                "SCHEDULER_RETENTION_OBSERVATIONS|1.5|SCHEDULER_RETENTION_OBSERVATIONS must be a whole number, not '1.5'",
                "SCHEDULER_MODEL|oracle|SCHEDULER_MODEL must be ema or bayes, not 'oracle'",
                "SCHEDULER_GPU_MEMORY|{\"A\":|SCHEDULER_GPU_MEMORY must be a JSON object of GPU types and their GiB, not '{\"A\":'",
                "SCHEDULER_GPU_MEMORY|[16]|SCHEDULER_GPU_MEMORY must be a JSON object of GPU types and their GiB, not '[16]'",
                "SCHEDULER_GPU_MEMORY|{} 16|SCHEDULER_GPU_MEMORY must be a JSON object of GPU types and their GiB, not '{} 16'",
                "SCHEDULER_SQLITE_PATH|' '|SCHEDULER_SQLITE_PATH must be the path of a file, not ''",
                "SCHEDULER_LOG_LEVEL|LOUD|SCHEDULER_LOG_LEVEL must be one of CRITICAL, ERROR, WARNING, INFO, DEBUG, TRACE, not 'LOUD'",
                "SCHEDULER_CHECKPOINT_INTERVAL|often|SCHEDULER_CHECKPOINT_INTERVAL must be a whole number, not 'often'"
            })
    void aBadValueIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> AgentSettings.of(Map.of(name, value))).hasMessage(message);
    }

    @Test
    void logLevelsAreThoseOfPython() {
        assertThat(AgentSettings.of(Map.of()).logLevel()).isEmpty();
        assertThat(AgentSettings.of(Map.of("SCHEDULER_LOG_LEVEL", "WARNING")).logLevel())
                .hasValue("warn");
    }

    @Test
    void theAddressOfAServiceIsNoPort() {
        var settings = AgentSettings.of(Map.of("SCHEDULER_PORT", "tcp://10.0.0.1:80"));

        assertThat(settings.warnings())
                .containsExactly("SCHEDULER_PORT=tcp://10.0.0.1:80 is the address of a Service and is passed over");
    }

    @Test
    void memoryIsReadFromTheSettingsOrTheName() {
        var memory = AgentSettings.of(Map.of("SCHEDULER_GPU_MEMORY", "{\"mystery\": 16}"))
                .memory();

        assertThat(memory.largeEnough(List.of("A100-80GB", "L4-24GB", "mystery", "unknown"), 40))
                .containsExactly("A100-80GB", "unknown");
        assertThat(memory.largeEnough(List.of("mystery"), 16)).containsExactly("mystery");
        assertThat(memory.largeEnough(List.of("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"), 40))
                .isEmpty();
    }
}
