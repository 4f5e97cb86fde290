package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadTest {
    private final TestServer server = TestServer.shared();
    private String namespace = "";
    private String maps = "";

    @BeforeEach
    void ownNamespace() {
        namespace = server.newNamespace();
        maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private void create(String... names) {
        for (String name : names) {
            server.post(maps, "{'metadata':{'name':'" + name + "','labels':{'name':'" + name + "','all':'yes'}}}");
        }
    }

    private static List<String> names(TestServer.Answer list) {
        List<String> names = new ArrayList<>();
        for (JsonNode item : list.body().path("items")) {
            names.add(item.at("/metadata/name").asText());
        }
        return names;
    }

    private List<String> selected(String query) {
        return names(server.get(maps + "?" + query));
    }

    @Test
    void aListIsInTheOrderOfNames() {
        create("c", "a", "b");
        var list = server.get(maps);
        assertThat(list.text("/kind")).isEqualTo("ConfigMapList");
        assertThat(names(list)).containsExactly("a", "b", "c");
        assertThat(list.body().at("/items/0").has("kind")).isFalse();
    }

    @Test
    void pagesAreOfOneMoment() {
        create("a", "b", "c", "d", "e");
        var first = server.get(maps + "?limit=2");
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.text("/metadata/remainingItemCount")).isEqualTo("3");
        create("bb");
        server.delete(maps + "/d");

        var second = server.get(maps + "?limit=2&continue=" + first.text("/metadata/continue"));
        var third = server.get(maps + "?limit=2&continue=" + second.text("/metadata/continue"));

        assertThat(names(second)).containsExactly("c", "d");
        assertThat(second.text("/metadata/resourceVersion")).isEqualTo(first.text("/metadata/resourceVersion"));
        assertThat(names(third)).containsExactly("e");
        assertThat(third.body().path("metadata").has("continue")).isFalse();
    }

    @Test
    void aPastMomentCanBeListedExactly() {
        create("a");
        String then = server.get(maps).text("/metadata/resourceVersion");
        create("b");
        assertThat(selected("resourceVersion=" + then + "&resourceVersionMatch=Exact"))
                .containsExactly("a");
        assertThat(selected("resourceVersion=" + then + "&resourceVersionMatch=NotOlderThan"))
                .containsExactly("a", "b");
    }

    @Test
    void aVersionThatIsNotThereYetTimesOut() {
        var refused = server.get(maps + "?resourceVersion=1000000000");
        assertThat(refused.code()).isEqualTo(504);
        assertThat(refused.message()).startsWith("Timeout: Too large resource version: 1000000000, current: ");
    }

    @Test
    void optionsThatDoNotFitAreInvalid() {
        assertThat(server.get(maps + "?resourceVersionMatch=Exact").code()).isEqualTo(422);
        assertThat(server.get(maps + "?resourceVersion=x").code()).isEqualTo(400);
        assertThat(server.get(maps + "?limit=x").code()).isEqualTo(400);
        assertThat(server.get(maps + "?continue=x").code()).isEqualTo(400);
        assertThat(server.get(maps + "?sendInitialEvents=true").code()).isEqualTo(422);
    }

    @Test
    void labelsSelect() {
        create("a", "b", "c");
        assertThat(selected("labelSelector=name%3Da")).containsExactly("a");
        assertThat(selected("labelSelector=name!%3Da")).containsExactly("b", "c");
        assertThat(selected("labelSelector=name%20in%20(a,c)")).containsExactly("a", "c");
        assertThat(selected("labelSelector=name%20notin%20(a,c),all")).containsExactly("b");
        assertThat(selected("labelSelector=!all")).isEmpty();
        assertThat(server.get(maps + "?labelSelector=a!!b").message())
                .isEqualTo("unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt");
    }

    @Test
    void fieldsSelect() {
        create("a", "b");
        assertThat(selected("fieldSelector=metadata.name%3Da")).containsExactly("a");
        assertThat(selected("fieldSelector=metadata.name!%3Da")).containsExactly("b");
        assertThat(server.get(maps + "?fieldSelector=data.x%3Dy").message())
                .isEqualTo("\"data.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        assertThat(server.get("/api/v1/pods?fieldSelector=x%3Dy").message()).isEqualTo("field label not supported: x");
    }

    @Test
    void podsAreSelectedByTheirNode() {
        String pods = "/api/v1/namespaces/" + namespace + "/pods";
        server.post(pods, "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        server.post(pods, "{'metadata':{'name':'q'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
        assertThat(names(server.get(pods + "?fieldSelector=spec.nodeName%3Dn"))).containsExactly("q");
        assertThat(names(server.get(pods + "?fieldSelector=spec.nodeName%3D,status.phase%3DPending")))
                .containsExactly("p");
    }

    @Test
    void metadataAloneAndTablesAreServed() {
        create("a");
        var partial = server.get(maps, "Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
        assertThat(partial.text("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(partial.text("/items/0/kind")).isEqualTo("PartialObjectMetadata");
        var table = server.get(maps, "Accept", "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.text("/kind")).isEqualTo("Table");
        assertThat(table.text("/rows/0/cells/0")).isEqualTo("a");
    }

    @Test
    void bothGroupsShowTheSameEvents() {
        String core = "/api/v1/namespaces/" + namespace + "/events";
        String fresh = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
        server.post(
                core,
                "{'metadata':{'name':'e'},'message':'hello','reason':'Because','involvedObject':{'kind':'Pod','name':'p','namespace':'"
                        + namespace + "'}}");
        var seen = server.get(fresh + "/e");
        assertThat(seen.text("/apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(seen.text("/note")).isEqualTo("hello");
        assertThat(seen.text("/regarding/name")).isEqualTo("p");
        assertThat(names(server.get(core + "?fieldSelector=involvedObject.name%3Dp")))
                .containsExactly("e");
        assertThat(names(server.get(fresh + "?fieldSelector=regarding.name%3Dq")))
                .isEmpty();
    }

    @Test
    void theServerSaysWhoAsksAndThatAllIsAllowed() {
        var who = server.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
        assertThat(who.code()).isEqualTo(201);
        assertThat(who.text("/status/userInfo/groups/0")).isEqualTo("system:masters");
        var may = server.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{'spec':{'resourceAttributes':{'verb':'get','resource':'pods'}}}");
        assertThat(may.body().at("/status/allowed").asBoolean()).isTrue();
    }

    @Test
    void healthVersionAndMetricsAreServed() {
        assertThat(server.get("/healthz").raw().body()).isEqualTo("ok");
        assertThat(server.get("/readyz").raw().body()).isEqualTo("ok");
        assertThat(server.get("/version").text("/minor")).isEqualTo("36");
        assertThat(server.get("/metrics").code()).isEqualTo(200);
        assertThat(server.get("/openapi/v3").body().path("paths").has("api/v1")).isTrue();
    }

    @Test
    void aDeploymentIsScaled() {
        String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
        server.post(
                deployments,
                "{'metadata':{'name':'d'},'spec':{'replicas':2,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
        var scale = server.get(deployments + "/d/scale");
        assertThat(scale.text("/spec/replicas")).isEqualTo("2");
        assertThat(scale.text("/status/selector")).isEqualTo("a=b");
        assertThat(server.merge(deployments + "/d/scale", "{'spec':{'replicas':3}}")
                        .code())
                .isEqualTo(200);
        assertThat(server.get(deployments + "/d").text("/spec/replicas")).isEqualTo("3");
        assertThat(server.merge(deployments + "/d/scale", "{'spec':{'replicas':-1}}")
                        .code())
                .isEqualTo(422);
    }
}
