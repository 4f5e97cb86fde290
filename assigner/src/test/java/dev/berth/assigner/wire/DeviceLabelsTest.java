package dev.berth.assigner.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceLabelsTest {
    @Test
    void theAnnotationOfTheContractIsRead() throws Exception {
        var labels =
                DeviceLabels.decode("eyJHUFUtQUFBXzEiOlsiZnVkby5vcmcvZ3B1LmExMDAiLCJmdWRvLm9yZy9ncHUudnJhbS44MGciXX0=");

        assertThat(labels.byUuid().get("GPU-AAA_1")).containsExactly("fudo.org/gpu.a100", "fudo.org/gpu.vram.80g");
        assertThat(DeviceLabels.decode(labels.encode())).isEqualTo(labels);
    }

    @Test
    void noLabelsAtAllAreAnEmptySet() throws Exception {
        assertThat(DeviceLabels.decode(base64("{\"GPU-1\":null,\"GPU-2\":[]}")).byUuid())
                .hasSize(2)
                .allSatisfy((uuid, labels) -> assertThat(labels).isEmpty());
    }

    @Test
    void lineBreaksAsTheToolMakesThemAreTaken() throws Exception {
        assertThat(DeviceLabels.decode(base64("{\"GPU-1\":[\"a\"]}") + "\n").byUuid())
                .containsKey("GPU-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'GPU-1':'a'}        | the labels of GPU-1 are no list",
                "{'GPU-1':[1]}        | GPU-1 has the label 1, which is no text",
                "[]                   | it holds no JSON object",
                "{'GPU                | it is not base64 of JSON",
                "{'---':[]}           | '---' is no GPU's UUID",
                "{'GPU-1..2':[]}      | 'GPU-1..2' is no GPU's UUID",
                "{'GPU,1':[]}         | 'GPU,1' is no GPU's UUID",
                "{'GPU-1 ':[]}        | 'GPU-1 ' is no GPU's UUID",
            })
    void whatCannotBeReadSaysWhy(String json, String why) {
        assertThatThrownBy(() -> DeviceLabels.decode(base64(json.replace('\'', '"'))))
                .isInstanceOf(DeviceLabels.UnreadableException.class)
                .hasMessageContaining(why);
    }

    @Test
    void rubbishIsNotBase64() {
        assertThatThrownBy(() -> DeviceLabels.decode("%%%")).hasMessageContaining("it is not base64");
    }

    @ParameterizedTest
    @CsvSource({"GPU-AAA_1, gpu-aaa-1, GPU-AAA_1", "GPU/1:2, gpu-1-2, GPU-1-2", "-x-, x, x"})
    void aUuidNamesItsLease(String uuid, String name, String label) {
        assertThat(LeaseName.of(uuid)).isEqualTo(name);
        assertThat(LeaseName.label(uuid)).isEqualTo(label);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
