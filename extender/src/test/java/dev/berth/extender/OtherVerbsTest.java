package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OtherVerbsTest {
    private final Stage stage = new Stage(true);

    @AfterEach
    void close() {
        stage.close();
    }

    private String bind(Pod pod, String node) {
        var request = Stage.JSON
                .createObjectNode()
                .put("PodName", pod.getMetadata().getName())
                .put("PodNamespace", "default")
                .put("PodUID", pod.getMetadata().getUid())
                .put("Node", node);
        return stage.ask("/scheduler/bind", request).path("Error").asText();
    }

    @Test
    void aPodIsBoundWhereItsDecisionStands() {
        stage.node("n", 100, 4);
        var pod = stage.pod("p", "50/1");
        stage.filter(pod, "n");

        assertThat(bind(pod, "n")).isEmpty();
        assertThat(stage.read(pod).getSpec().getNodeName()).isEqualTo("n");
        assertThat(bind(pod, "n")).isEmpty();
    }

    @Test
    void aGpuPodWithoutADecisionIsNotBound() {
        stage.node("n", 100, 4);
        var pod = stage.pod("p", "50/1");

        assertThat(bind(pod, "n")).contains("does not stand any more");
        assertThat(stage.read(pod).getSpec().getNodeName()).isNull();
    }

    @Test
    void anyOtherPodIsJustBound() {
        stage.node("n", 100, 4);
        var pod = stage.pod("p", "");

        assertThat(bind(pod, "n")).isEmpty();
        assertThat(stage.read(pod).getSpec().getNodeName()).isEqualTo("n");
    }

    @Test
    void aBindingThatMakesNoSenseSaysWhatIsMissing() {
        assertThat(stage.ask("/scheduler/bind", Stage.JSON.createObjectNode())
                        .path("Error")
                        .asText())
                .isEqualTo("the request has no PodNamespace");
    }

    @Test
    void onlyNodesWhereEvictionMakesRoomAreLeftToPreempt() {
        stage.node("a", 100, 4);
        stage.node("b", 100, 4);
        var small = stage.pod("small", "30/1");
        stage.place(small, "a");
        var keeper = stage.pod("keeper", "30/1");
        stage.place(keeper, "a");
        var large = stage.pod("large", "90/1");
        stage.place(large, "b");

        var request = Stage.JSON.createObjectNode();
        request.set("Pod", Stage.JSON.valueToTree(stage.pod("urgent", "100")));
        var victims = request.putObject("NodeNameToMetaVictims");
        victim(victims, "a", small);
        victim(victims, "b", large);
        var reply = stage.ask("/scheduler/preempt", request).path("NodeNameToMetaVictims");

        assertThat(reply.fieldNames()).toIterable().containsExactly("b");
        assertThat(reply.path("b").path("Pods").path(0).path("UID").asText())
                .isEqualTo(large.getMetadata().getUid());
    }

    @Test
    void victimsStayInTheSchedulersOrderBecauseItComparesNodesByTheFirst() {
        stage.node("n", 800, 32);
        var pods = IntStream.range(0, 8)
                .mapToObj(each -> stage.pod("victim-" + each, "100"))
                .toList();
        pods.forEach(pod -> stage.place(pod, "n"));
        var uids = pods.stream().map(pod -> pod.getMetadata().getUid()).toList();

        var request = Stage.JSON.createObjectNode();
        request.set("Pod", Stage.JSON.valueToTree(stage.pod("urgent", "800")));
        var list = request.putObject("NodeNameToMetaVictims")
                .putObject("n")
                .put("NumPDBViolations", 1)
                .putArray("Pods");
        uids.forEach(uid -> list.addObject().put("UID", uid));
        var kept = stage.ask("/scheduler/preempt", request)
                .path("NodeNameToMetaVictims")
                .path("n");

        assertThat(kept.path("Pods")
                        .valueStream()
                        .map(victim -> victim.path("UID").asText()))
                .containsExactlyElementsOf(uids);
        assertThat(kept.path("NumPDBViolations").asInt()).isEqualTo(1);
    }

    @Test
    void nobodyIsEvictedForAPodThatItsQuotaKeepsOut() {
        stage.namespace("strangers");
        stage.node("n", 200, 8, "gaia.tencent.com/gpu-model", "M40");
        stage.quota("{\"default\": {\"quota\": {\"M40\": 1}}}");
        Stage.await("the quota", () -> stage.get("/quota").contains("\"limitCores\":100"));
        var own = stage.pod("own", "100");
        stage.place(own, "n");
        var strange = stage.podIn("strangers", "strange", "100");
        stage.place(strange, "n");
        var urgent = stage.pod("urgent", "100");

        assertThat(preempted(urgent, strange)).as("the quota stays used up").isEmpty();
        assertThat(preempted(urgent, own))
                .as("its own pod makes room in the quota, too")
                .containsExactly("n");
    }

    private List<String> preempted(Pod pod, Pod victim) {
        var request = Stage.JSON.createObjectNode();
        request.set("Pod", Stage.JSON.valueToTree(pod));
        victim(request.putObject("NodeNameToMetaVictims"), "n", victim);
        var left = new ArrayList<String>();
        stage.ask("/scheduler/preempt", request)
                .path("NodeNameToMetaVictims")
                .fieldNames()
                .forEachRemaining(left::add);
        return left;
    }

    @Test
    void aBindingWithANameThatIsNoneSaysWhich() {
        stage.node("n", 100, 4);
        var pod = stage.pod("p", "50/1");
        stage.filter(pod, "n");

        assertThat(bind(pod, "a b")).isEqualTo("Node cannot be 'a b'");
        pod.getMetadata().setName("a b");
        assertThat(bind(pod, "n")).isEqualTo("PodName cannot be 'a b'");
    }

    private static void victim(ObjectNode victims, String node, Pod pod) {
        victims.putObject(node)
                .put("NumPDBViolations", 0)
                .putArray("Pods")
                .addObject()
                .put("UID", pod.getMetadata().getUid());
    }

    @Test
    void fullerNodesScoreHigherForGpuPodsAndNodesWithoutGpusForOthers() {
        stage.node("full", 200, 8);
        stage.node("empty", 200, 8);
        stage.node("none", 0, 0);
        stage.place(stage.pod("p", "100"), "full");

        var gpu = stage.ask("/scheduler/priorities", stage.request(stage.pod("g", "50/1"), "full", "empty", "none"));
        assertThat(gpu)
                .hasToString(
                        "[{\"Host\":\"full\",\"Score\":5},{\"Host\":\"empty\",\"Score\":0},{\"Host\":\"none\",\"Score\":0}]");
        var plain = stage.ask("/scheduler/priorities", stage.request(stage.pod("c", ""), "full", "none"));
        assertThat(plain).hasToString("[{\"Host\":\"full\",\"Score\":0},{\"Host\":\"none\",\"Score\":1}]");
    }
}
