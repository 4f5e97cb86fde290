package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1000m, 1",
        "0.5, 500m",
        "100m, 100m",
        "1024Mi, 1Gi",
        "1048576Ki, 1Gi",
        "1.5Gi, 1536Mi",
        "0.5Gi, 512Mi",
        "1000, 1k",
        "2000000k, 2G",
        "1e3, 1e3",
        "1E3, 1E3",
        "10e2, 1e3",
        "+1, +1",
        "1.500, 1.500",
        "0, 0",
        "0Gi, 0",
        "1.1Ki, 1126400m",
        "-5, -5",
        "0.0000000001, 1n",
        "100.5, 100500m",
        "1Ki, 1Ki",
        "512, 512",
        "1500m, 1500m"
    })
    void aQuantityIsWrittenAsKubernetesWritesIt(String given, String written) {
        assertThat(Quantity.parse(given)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "1x", "1 ", "1..2"})
    void whatIsNoNumberIsRefusedWithTheServersWords(String given) {
        assertThatThrownBy(() -> Quantity.parse(given)).hasMessage(Quantity.WRONG_FORMAT);
    }

    @Test
    void anUnknownSuffixIsRefused() {
        assertThatThrownBy(() -> Quantity.parse("1Mm")).hasMessage("unable to parse quantity's suffix");
    }

    @Test
    void whatContainersAskForIsRoundedUpToThousandths() {
        assertThat(Quantity.parse("0.0001").roundedUpToMilli()).hasToString("1m");
        assertThat(Quantity.parse("1.0001").roundedUpToMilli()).hasToString("1001m");
    }

    @Test
    void spellingsOfOneAmountAreEqual() {
        assertThat(Quantity.parse("1Gi"))
                .isEqualTo(Quantity.parse("1024Mi"))
                .hasSameHashCodeAs(Quantity.parse("1048576Ki"));
        assertThat(Quantity.parse("1Gi")).isGreaterThan(Quantity.parse("1G"));
    }
}
