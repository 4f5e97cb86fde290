package dev.berth.e2e.defrag;

import static dev.berth.e2e.defrag.DefragStage.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** Two pods stand in the way of a third: who moves, what a budget says to it, and what comes of it. */
@OnBothServers(controllers = true)
class DefragIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BUDGETS = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";

    @Story
    @Timeout(300)
    void aPodIsMovedSoThatAnotherFindsRoomUnlessABudgetForbidsIt(Dialogue server) throws Exception {
        var stage = new DefragStage(server);
        stage.node("defrag-a");
        stage.node("defrag-b");
        stage.replicaSet("web");
        var first = stage.bindOneTo("defrag-a");
        stage.bindOneTo("defrag-b");
        stage.pod("large", 2);

        nothingIsMovedByAPlan(stage, server, first);
        aBudgetForbidsIt(stage, server, first);

        server.quietly("DELETE", BUDGETS + "/web", "");
        var applied = CompletableFuture.supplyAsync(
                () -> stage.defrag("--for", "large", "--apply", "--max-disruption", "1", "--cordon"));
        var replacement = stage.bindOneTo("defrag-b");
        var said = applied.get(120, TimeUnit.SECONDS);
        assertThat(said.exit()).as(said.err() + said.out()).isZero();
        assertThat(said.out())
                .contains("moved %s/%s: %s/%s is on defrag-b"
                        .formatted(server.namespace(), first, server.namespace(), replacement));

        assertThat(server.quietly("GET", "/api/v1/nodes/defrag-a", "").at("/spec/unschedulable"))
                .isNotEqualTo("true");
        var after = stage.defrag("--plan", "--for", "large");
        assertThat(after.exit()).as(after.err()).isZero();
        assertThat(after.out()).contains("large has room without any move: defrag-a GPU 0,1");
    }

    private static void nothingIsMovedByAPlan(DefragStage stage, Dialogue server, String first) throws IOException {
        var plan = stage.defrag("--plan", "--for", server.namespace() + "/large");
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.out())
                .contains("large: 1 move makes room on defrag-a GPU 0,1; fewer will not do")
                .containsPattern("1 +%s/%s +defrag-a GPU 1 +defrag-b GPU 0".formatted(server.namespace(), first))
                .contains("nothing was moved");
        var json = JSON.readTree(
                stage.defrag("--plan", "--for", "large", "-o", "json").out());
        assertThat(json.at("/moves/0/pod").asText()).isEqualTo(server.namespace() + "/" + first);
        assertThat(json.at("/moves/0/to/node").asText()).isEqualTo("defrag-b");
        assertThat(json.at("/room/gpus").size()).isEqualTo(2);

        var unlimited = stage.defrag("--for", "large", "--apply");
        assertThat(unlimited.exit()).isEqualTo(2);
        assertThat(unlimited.err()).contains("--apply needs --max-disruption N");
        assertThat(server.quietly("GET", PODS + "/" + first, "").at("/spec/nodeName"))
                .isEqualTo("defrag-a");
    }

    private static void aBudgetForbidsIt(DefragStage stage, Dialogue server, String first) {
        stage.sent(
                "POST",
                BUDGETS,
                "{metadata: {name: web}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}");
        var forbidden = stage.defrag("--for", "large", "--apply", "--max-disruption", "1");
        assertThat(forbidden.exit()).as(forbidden.out()).isEqualTo(1);
        assertThat(forbidden.err()).contains(first + " is not evicted: ").contains("disruption budget");
        assertThat(server.quietly("GET", PODS + "/" + first, "").at("/spec/nodeName"))
                .isEqualTo("defrag-a");
    }
}
