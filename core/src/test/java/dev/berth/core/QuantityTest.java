package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "1.0,1",
        "0.5,500m",
        "16Gi,17179869184",
        "2e3,2000",
        "2E3,2000",
        "1E,1000000000000000000",
        "-5,-5",
        "1500m,1500m",
        "0,0",
        "100n,100n"
    })
    void isReadAsKubernetesReadsIt(String text, String written) {
        assertThat(Quantity.parse(text)).hasToString(written);
        assertThat(Quantity.parse(written)).isEqualTo(Quantity.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Gi", "1gi", "1.2.3", "1e", "1e999999999", "one", "1 Gi", "--1"})
    void nonsenseIsNamed(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a quantity: '" + text + "'");
    }

    @Test
    void addsExactly() {
        assertThat(Quantity.parse("0.1").plus(Quantity.parse("0.2"))).isEqualTo(Quantity.parse("300m"));
    }
}
