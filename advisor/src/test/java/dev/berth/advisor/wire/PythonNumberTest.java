package dev.berth.advisor.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonNumberTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "50, 50.0",
        "-1.5, -1.5",
        "99.99999999999999, 99.99999999999999",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "1.25e-7, 1.25e-07",
        "12345678.9, 12345678.9",
        "1e15, 1000000000000000.0",
        "1e16, 1e+16",
        "1.5e300, 1.5e+300",
        "0.0011, 0.0011"
    })
    void aNumberIsWrittenAsPythonWritesIt(double value, String text) {
        assertThat(PythonNumber.text(value)).isEqualTo(text);
    }
}
