package dev.berth.assigner.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AssignmentPatchTest {
    private static final Assignment TWO = new Assignment("r1", "n1", List.of("GPU-1", "GPU-2"));

    @Test
    void aPodsOwnAnnotationsAreKeptAndTheSixPlacesToo() throws Exception {
        var patch = new AssignmentPatch(Pin.NODE_NAME, CdiFormat.UPSTREAM)
                .of(pod("{'metadata':{'annotations':{'mine':'1'}},'spec':{}}"), TWO);

        assertThat(patch.operations()).hasSize(6);
        assertThat(patch.operations().get(1).path("value").asText()).isEqualTo("GPU-1,GPU-2");
        assertThat(patch.operations().get(3).path("value").asText()).isEqualTo("r1");
        assertThat(patch.result().at("/metadata/annotations/mine").asText()).isEqualTo("1");
        assertThat(patch.result().at("/spec/nodeName").asText()).isEqualTo("n1");
    }

    @Test
    void theContainerRuntimesNamesAreWrittenWhenAskedFor() throws Exception {
        var patch = new AssignmentPatch(Pin.NODE_NAME, CdiFormat.CDI).of(pod("{'spec':{},'metadata':{}}"), TWO);

        assertThat(patch.operations().get(4).path("value").asText())
                .isEqualTo("nvidia.com/gpu=GPU-1,nvidia.com/gpu=GPU-2");
    }

    @Test
    void affinityNarrowsEveryAlternativeOfThePod() throws Exception {
        var patch = new AssignmentPatch(Pin.AFFINITY, CdiFormat.UPSTREAM).of(pod("""
                {'metadata':{},'spec':{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':
                 {'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'Exists'}]},{'matchExpressions':[]}]}}}}}"""), TWO);

        var terms = patch.result()
                .at("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms");
        assertThat(patch.operations()).hasSize(6);
        assertThat(terms)
                .hasSize(2)
                .allSatisfy(term -> assertThat(term.at("/matchFields/0"))
                        .isEqualTo(tree("{'key':'metadata.name','operator':'In','values':['n1']}")));
        assertThat(patch.result().path("spec").has("nodeName")).isFalse();
    }

    @Test
    void aPodThatWaitsAtAGateIsPinnedByAffinity() throws Exception {
        var patch = new AssignmentPatch(Pin.NODE_NAME, CdiFormat.UPSTREAM)
                .of(pod("{'metadata':{},'spec':{'schedulingGates':[{'name':'wait'}]}}"), TWO);

        assertThat(patch.result().path("spec").has("nodeName")).isFalse();
        assertThat(patch.operations().get(5).path("path").asText()).isEqualTo("/spec/affinity");
    }

    @Test
    void whatThePatchWroteIsReadBack() throws Exception {
        var result = new AssignmentPatch(Pin.NODE_NAME, CdiFormat.UPSTREAM)
                .of(pod("{'metadata':{},'spec':{}}"), TWO)
                .result();

        assertThat(Assignment.of(result)).contains(TWO);
    }

    private static ObjectNode pod(String text) throws IOException {
        return (ObjectNode) tree(text);
    }

    private static JsonNode tree(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
