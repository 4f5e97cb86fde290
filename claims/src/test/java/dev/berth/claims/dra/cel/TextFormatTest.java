package dev.berth.claims.dra.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cel-go 0.26, which Kubernetes 1.36 has, gave on 2026-11-17 with its extension for texts of version 2. */
class TextFormatTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            '%s and %d'.format(['a', 5])                     | 'a and 5'
            '%d%%'.format([50])                              | '50%'
            '%f'.format([1234.5])                            | '1,234.500000'
            '%.3f'.format([1234.56789])                      | '1,234.568'
            '%.0f'.format([2.5])                             | '2'
            '%.1f'.format([0.25])                            | '0.2'
            '%.2f'.format([-1234567.005])                    | '-1,234,567.00'
            '%f'.format([-0.0])                              | '0.000000'
            '%f'.format(['-Infinity'])                       | '-∞'
            '%e'.format([1052.032911275])                    | '1.052033×10⁰³'
            '%e'.format([0.00012])                           | '1.200000×10⁻⁰⁴'
            '%e'.format([9.9999999])                         | '1.000000×10⁰¹'
            '%e'.format([0.0])                               | '0.000000×10⁰⁰'
            '%e'.format([1.0e100])                           | '1.000000×10¹⁰⁰'
            '%e'.format(['Infinity'])                        | '     ∞'
            '%b %b %b'.format([5, -5, true])                 | '101 -101 1'
            '%x %X %x'.format([255, 255, 'hi'])              | 'ff FF 6869'
            '%x %X'.format([-255, 'hi~'])                    | '-ff 68697E'
            '%x %o'.format([18446744073709551615u, 8])       | 'ffffffffffffffff 10'
            '%x'.format([b'hi'])                             | '6869'
            '%s'.format([[1, 2]])                            | '[1, 2]'
            '%s'.format([['a', 'b"c']])                      | '["a", "b\\\\"c"]'
            '%s'.format([{'b': 1, 'a': 2}])                  | '{"a":2, "b":1}'
            '%s %s %s'.format([1.5, 1.0, 1234567.0])         | '1.5 1 1.234567e+06'
            '%s %s %s'.format([123456.0, 0.0001, 0.00001])   | '123456 0.0001 1e-05'
            '%s'.format([-1e21])                             | '-1e+21'
            '%s %s'.format([true, null])                     | 'true null'
            '%s %s'.format([duration('1h'), duration('1.5s')])           | '3600s 1.5s'
            '%s'.format([timestamp('2023-01-02T03:04:05Z')]) | '2023-01-02T03:04:05Z'
            '%s'.format([[duration('1h')]])                  | '[duration("3600s")]'
            '%s'.format([[1.5, 2.0]])                        | '[1.500000, 2.000000]'
            '%s %s'.format([b'xyz', [b'xyz']])               | 'xyz [b"xyz"]'
            '%s'.format([type(1)])                           | 'int'
            '%s'.format([[1.0 / 0.0]])                       | '["+Inf"]'
            '%s'.format(dyn([1, 2]))                         | '1'
            """)
    void writesWhatKubernetesWrites(String call, String text) {
        assertThat(Selector.of("%s == %s".formatted(call, text)).ask(Measured.DEVICE))
                .isEqualTo(new Selector.Answer.Yes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%d'.format(['a'])",
                "'%q'.format([1])",
                "'%'.format([1])",
                "'%d %d'.format([1])",
                "'%5d'.format([1])",
                "'%.f'.format([1.0])",
                "'%.99999f'.format([1.0])",
                "'%f'.format([1])",
                "'%b'.format([1.5])",
                "'%o'.format([true])"
            })
    void saysWhatIsWrong(String call) {
        assertThat(Selector.of(call + " == ''").ask(Measured.DEVICE)).isInstanceOf(Selector.Answer.Failed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[3, 1, 2].sortBy(x, -x) == [3, 2, 1]", "['b', 'a'].sortBy(s, s) == ['a', 'b']"})
    void listsAreSortedByWhatIsSaid(String expression) {
        assertThat(Selector.of(expression).ask(Measured.DEVICE)).isEqualTo(new Selector.Answer.Yes());
    }
}
