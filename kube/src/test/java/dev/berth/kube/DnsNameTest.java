package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DnsNameTest {
    @Test
    void aLabelIsOneWord() {
        assertThat(DnsName.isLabel("gpu-claims")).isTrue();
        assertThat(DnsName.isLabel("0")).isTrue();
        assertThat(DnsName.isLabel("a".repeat(63))).isTrue();
        assertThat(DnsName.isLabel("a".repeat(64))).isFalse();
        assertThat(DnsName.isLabel("a.b")).isFalse();
        assertThat(DnsName.isLabel("-a")).isFalse();
        assertThat(DnsName.isLabel("a-")).isFalse();
        assertThat(DnsName.isLabel("A")).isFalse();
        assertThat(DnsName.isLabel("")).isFalse();
    }

    @Test
    void aSubdomainIsWordsWithDotsBetween() {
        assertThat(DnsName.isSubdomain("gpu-1.example.com")).isTrue();
        assertThat(DnsName.isSubdomain("a".repeat(253))).isTrue();
        assertThat(DnsName.isSubdomain("a".repeat(254))).isFalse();
        assertThat(DnsName.isSubdomain("a..b")).isFalse();
        assertThat(DnsName.isSubdomain("a.-b")).isFalse();
        assertThat(DnsName.isSubdomain(".a")).isFalse();
    }
}
