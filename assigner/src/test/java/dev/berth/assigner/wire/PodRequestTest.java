package dev.berth.assigner.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRequestTest {
    @Test
    void everyGpuLabelIsRequiredExceptTheOneThatTakesAny() throws Exception {
        var asked = of("""
                {"metadata":{"labels":{"fudo.org/gpu":"","fudo.org/gpu.a100":"false","fudo.org/gpu.vram.80g":"x",
                 "fudo.org/gpu.assign":"false","fudo.org/gpux":"1","fudo.org/gpu.none":null,"app":"a"}}}""");

        assertThat(asked.labels()).containsExactly("fudo.org/gpu", "fudo.org/gpu.a100", "fudo.org/gpu.vram.80g");
        assertThat(asked.optedIn()).isTrue();
    }

    @Test
    void aPodWithNeitherLabelNorGpuIsNoneOfOurBusiness() throws Exception {
        assertThat(of("{\"metadata\":{\"labels\":{\"fudo.org/gpux\":\"1\"}}}").concernsGpus())
                .isFalse();
        assertThat(of("{\"spec\":{\"containers\":[{\"resources\":{\"requests\":{\"nvidia.com/gpu\":\"0\"}}}]}}")
                        .concernsGpus())
                .isFalse();
    }

    @Test
    void aPodIsCalledByItsNameOrByTheBeginningOfIt() throws Exception {
        assertThat(of("{\"metadata\":{\"name\":\"p1\",\"namespace\":\"team\"}}").pod())
                .isEqualTo("team/p1");
        assertThat(of("{\"metadata\":{\"generateName\":\"web-\"}}").pod()).isEqualTo("request-namespace/web-");
    }

    /** What Kubernetes counts: main containers and sidecars together, or the largest init container beside sidecars. */
    @ParameterizedTest
    @CsvSource({
        "1 1, '', 2",
        "1, 1, 1",
        "1, 4, 4",
        "2, 1 1, 2",
        "1, s2, 3",
        "1, s2 3, 5",
        "'', '', 0",
    })
    void gpusAreCountedTheWayKubernetesDoes(String containers, String inits, int expected) throws Exception {
        assertThat(of("{\"spec\":{\"containers\":[%s],\"initContainers\":[%s]}}"
                                .formatted(list(containers), list(inits)))
                        .count())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"'\"1\"', 1", "2, 2", "'\"1k\"', 1000", "'\"lots\"', 0", "'\"-3\"', 0"})
    void amountsAreReadAsQuantities(String amount, int expected) throws Exception {
        assertThat(of("{\"spec\":{\"containers\":[{\"resources\":{\"requests\":{\"nvidia.com/gpu\":%s}}}]}}"
                                .formatted(amount))
                        .count())
                .isEqualTo(expected);
    }

    @Test
    void aLimitAloneIsARequest() throws Exception {
        var asked = of("{\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"2\"}}}]}}");

        assertThat(asked.requestsGpu()).isTrue();
        assertThat(asked.devices()).isEqualTo(2);
    }

    private static String list(String amounts) {
        var containers = new StringBuilder();
        for (var amount : amounts.isEmpty() ? new String[0] : amounts.split(" ")) {
            boolean sidecar = amount.startsWith("s");
            containers
                    .append(containers.isEmpty() ? "" : ",")
                    .append("{%s\"resources\":{\"requests\":{\"nvidia.com/gpu\":\"%s\"}}}"
                            .formatted(
                                    sidecar ? "\"restartPolicy\":\"Always\"," : "",
                                    sidecar ? amount.substring(1) : amount));
        }
        return containers.toString();
    }

    private static PodRequest of(String pod) throws IOException {
        return PodRequest.of((ObjectNode) new ObjectMapper().readTree(pod), "request-namespace");
    }
}
