package dev.berth.claims.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final Map<String, Attribute> DEVICE = Map.of(
            "vendor", new Attribute.Text("example.com"),
            "n", new Attribute.Whole(4),
            "mem", new Attribute.Amount(Quantity.parse("10Gi")),
            "bandwidth", new Attribute.Amount(Quantity.parse("1G")),
            "fw", new Attribute.Version("1.10.2"),
            "driver", new Attribute.Version("4.2.1-gen3"),
            "pcie-root", new Attribute.Text("a"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.vendor == 'example.com'",
                "'vendor' in device",
                "!has(device.missing)",
                "device.vendor == 'example.com' || device.missing == 'y'",
                "device.missing == 'y' || device.vendor == 'example.com'",
                "!(device.vendor == 'x' && device.missing == 'y')",
                "device.n >= 3",
                "device.n > 3.5",
                "device.n == 4",
                "device.n != '4'",
                "device['pcie-root'] == 'a'",
                "device.vendor.matches('^ex')",
                "device.vendor.startsWith('ex')",
                "device.vendor in ['a', 'example.com']",
                "size(device) == 7",
                "device.exists(k, k == 'vendor')",
                "device.exists(k, device[k] == '10Gi')",
                "true"
            })
    void whatThePrototypeTakesIsTaken(String expression) {
        assertThat(Expression.of(expression).refuses(DEVICE)).as(expression).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.mem >= '10Gi'",
                "device.mem == '10240Mi'",
                "device.mem > '9999M'",
                "'8Gi' < device.mem",
                "device['mem'] <= '1Ti'",
                "device.mem != '10G'",
                "device.mem > device.bandwidth",
                "device.bandwidth == '1G'",
                "device.bandwidth == 1000000000",
                "device.bandwidth in ['10G', '1000M']",
                "device.mem.endsWith('Gi')"
            })
    void quantitiesCompareAsQuantities(String expression) {
        assertThat(Expression.of(expression).refuses(DEVICE)).as(expression).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.fw >= '1.8.0'",
                "device.fw < '1.11'",
                "'1.9.9' < device.fw",
                "device.fw == '1.10.2'",
                "device.fw == 'v1.10.2'",
                "device.driver < '4.2.1'",
                "device.driver == '4.2.1-gen3'",
                "device.fw.startsWith('1.')"
            })
    void versionsCompareAsVersions(String expression) {
        assertThat(Expression.of(expression).refuses(DEVICE)).as(expression).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "device.vendor == 'example.org'                          ~ does not meet device.vendor == 'example.org'",
                "device.missing == 'x'                                   ~ has no attribute missing, which device.missing == 'x' needs",
                "device['not there'] == 'x'                              ~ has no attribute not there, which device['not there'] == 'x' needs",
                "device.vendor == 'x' || device.missing == 'y'           ~ has no attribute missing, which device.vendor == 'x' || device.missing == 'y' needs",
                "device.n == '4'                                         ~ does not meet device.n == '4'",
                "device.n >= '3'                                         ~ does not meet device.n >= '3': 4 and '3' cannot be compared",
                "device.mem >= 'much'                                    ~ does not meet device.mem >= 'much': the quantity 10Gi and 'much' cannot be compared",
                "device.fw >= 'new'                                      ~ does not meet device.fw >= 'new': the version 1.10.2 and 'new' cannot be compared",
                "device.n                                                ~ device.n says neither yes nor no",
            })
    void whatDoesNotMatchSaysWhy(String expression, String why) {
        assertThat(Expression.of(expression).refuses(DEVICE)).contains(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "device.vendor = 'x'",
                "[1,'a']==[1]",
                "device.pcie-root == 'a'",
                "vendor",
                "quantity('10Gi') == '1'",
                "1",
                "'x'",
                "null",
                "device",
                "device.vendor ==",
                "@typed.mem == '1'"
            })
    void whatIsNoConstraintIsRefusedBeforeAnyDeviceIsLookedAt(String expression) {
        assertThatThrownBy(() -> Expression.of(expression))
                .isInstanceOf(InvalidExpressionException.class)
                .hasMessageContaining("cannot be used");
    }

    @Test
    void theAttributesThatAreReadAreKnown() {
        assertThat(Expression.of("device.vendor == 'a' && (has(device.n) || device['mem'] > '1' || 'fw' in device)")
                        .reads())
                .contains(Set.of("vendor", "n", "mem", "fw"));
        assertThat(Expression.of("device.exists(k, k == 'vendor')").reads()).isEmpty();
        assertThat(Expression.of("['a'].exists(k, device[k] == 'vendor')").reads())
                .isEmpty();
        assertThat(Expression.of("true").reads()).contains(Set.of());
    }

    @Test
    void aHostileExpressionEndsSoon() {
        String list = "[" + "1,".repeat(99) + "1]";
        String hostile =
                "%s.all(a, %s.all(b, %s.all(c, %s.all(d, a + b + c + d > 0))))".formatted(list, list, list, list);
        assertThat(Expression.of(hostile).refuses(DEVICE))
                .hasValueSatisfying(why -> assertThat(why).contains("takes too long"));
        assertThatThrownBy(() -> Expression.of("(".repeat(5_000) + "true" + ")".repeat(5_000)))
                .isInstanceOf(InvalidExpressionException.class);
        assertThatThrownBy(() -> Expression.of("true" + " && true".repeat(5_000)))
                .isInstanceOf(InvalidExpressionException.class);
    }

    @Test
    void theSameTextIsCompiledOnce() {
        assertThat(Expression.of("device.n == 1")).isSameAs(Expression.of("device.n == 1"));
    }
}
