package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemovalTest {
    private static final String POD = "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}";

    private final TestServer server = TestServer.shared();
    private String maps = "";
    private String pods = "";

    @BeforeEach
    void ownNamespace() {
        String namespace = server.newNamespace();
        maps = "/api/v1/namespaces/" + namespace + "/configmaps";
        pods = "/api/v1/namespaces/" + namespace + "/pods";
    }

    private void bind() {
        server.post(pods + "/p/binding", "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");
    }

    @Test
    void whatIsDeletedIsGoneAndAStatusSaysSo() {
        var created = server.post(maps, "{'metadata':{'name':'a'}}");
        var deleted = server.delete(maps + "/a");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.text("/status")).isEqualTo("Success");
        assertThat(deleted.text("/details/uid")).isEqualTo(created.text("/metadata/uid"));
        assertThat(server.get(maps + "/a").code()).isEqualTo(404);
        assertThat(server.delete(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void finalizersHoldAnObjectUntilTheyAreRemoved() {
        server.post(maps, "{'metadata':{'name':'a','finalizers':['x.y/z']}}");
        var deleted = server.delete(maps + "/a");
        assertThat(deleted.text("/kind")).isEqualTo("ConfigMap");
        assertThat(deleted.body().at("/metadata/deletionTimestamp").isTextual()).isTrue();
        assertThat(server.get(maps + "/a").code()).isEqualTo(200);

        assertThat(server.merge(maps + "/a", "{'metadata':{'finalizers':null}}").code())
                .isEqualTo(200);

        assertThat(server.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void preconditionsAreHonoured() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var refused = server.delete(maps + "/a", "{'preconditions':{'uid':'x'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).contains("the UID in the precondition (x) does not match the UID in record");
        assertThat(server.delete(maps + "/a", "{'preconditions':{'resourceVersion':'1'}}")
                        .code())
                .isEqualTo(409);
    }

    @Test
    void anOrphaningDeletionWaitsForTheCollector() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var deleted = server.delete(maps + "/a?propagationPolicy=Orphan");
        assertThat(deleted.text("/metadata/finalizers/0")).isEqualTo("orphan");
        assertThat(server.delete(maps + "/a?propagationPolicy=Sideways").code()).isEqualTo(422);
    }

    @Test
    void aDryDeletionDeletesNothing() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(server.delete(maps + "/a?dryRun=All").code()).isEqualTo(200);
        assertThat(server.get(maps + "/a").code()).isEqualTo(200);
    }

    @Test
    void aCollectionIsDeletedBySelector() {
        server.post(maps, "{'metadata':{'name':'a','labels':{'x':'1'}}}");
        server.post(maps, "{'metadata':{'name':'b','labels':{'x':'2'}}}");
        var deleted = server.delete(maps + "?labelSelector=x%3D1");
        assertThat(deleted.text("/kind")).isEqualTo("ConfigMapList");
        assertThat(deleted.text("/items/0/metadata/name")).isEqualTo("a");
        assertThat(server.get(maps).body().at("/items").size()).isEqualTo(1);
    }

    @Test
    void aPodThatNoNodeRunsGoesAtOnce() {
        server.post(pods, POD);
        var deleted = server.delete(pods + "/p");
        assertThat(deleted.text("/kind")).isEqualTo("Pod");
        assertThat(deleted.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
        assertThat(server.get(pods + "/p").code()).isEqualTo(404);
    }

    @Test
    void aBoundPodStaysUntilItsNodeConfirms() {
        server.post(pods, POD);
        bind();
        assertThat(server.delete(pods + "/p").text("/metadata/deletionGracePeriodSeconds"))
                .isEqualTo("30");
        assertThat(server.get(pods + "/p").code()).isEqualTo(200);
        var shorter = server.delete(pods + "/p?gracePeriodSeconds=5");
        assertThat(shorter.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
        assertThat(server.delete(pods + "/p?gracePeriodSeconds=0").code()).isEqualTo(200);
        assertThat(server.get(pods + "/p").code()).isEqualTo(404);
    }

    @Test
    void aPodIsBoundOnce() {
        server.post(pods, POD);
        var bound = server.post(pods + "/p/binding", "{'metadata':{'name':'p'},'target':{'name':'n'}}");
        assertThat(bound.code()).isEqualTo(201);
        var pod = server.get(pods + "/p");
        assertThat(pod.text("/spec/nodeName")).isEqualTo("n");
        assertThat(pod.text("/status/conditions/0/type")).isEqualTo("PodScheduled");
        var refused = server.post(pods + "/p/binding", "{'metadata':{'name':'p'},'target':{'name':'m'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message())
                .isEqualTo(
                        "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"n\"");
    }

    @Test
    void anEvictionDeletesGracefully() {
        server.post(pods, POD);
        bind();
        var evicted = server.post(pods + "/p/eviction", "{'metadata':{'name':'p'}}");
        assertThat(evicted.code()).isEqualTo(201);
        var pod = server.get(pods + "/p");
        assertThat(pod.body().at("/metadata/deletionTimestamp").isTextual()).isTrue();
        assertThat(pod.body().at("/status/conditions").toString()).contains("DisruptionTarget");
    }

    @Test
    void aBudgetThatIsSpentRefusesAnEviction() {
        String namespace = pods.split("/")[4];
        String budgets = "/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets";
        server.post(pods, POD.replace("'name':'p'}", "'name':'p','labels':{'a':'b'}}"));
        bind();
        server.merge(pods + "/p/status", "{'status':{'phase':'Running'}}");
        server.post(budgets, "{'metadata':{'name':'b'},'spec':{'selector':{'matchLabels':{'a':'b'}}}}");
        var refused = server.post(pods + "/p/eviction", "{'metadata':{'name':'p'}}");
        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.message()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    }

    @Test
    void aNamespaceGoesWhenItsFinalizersAre() {
        String name = server.newNamespace();
        String path = "/api/v1/namespaces/" + name;
        assertThat(server.delete(path).text("/status/phase")).isEqualTo("Terminating");
        var refused = server.post(path + "/configmaps", "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).contains("because it is being terminated");
        server.put(path + "/finalize", "{'metadata':{'name':'" + name + "'},'spec':{'finalizers':[]}}");
        assertThat(server.get(path).code()).isEqualTo(404);
    }
}
