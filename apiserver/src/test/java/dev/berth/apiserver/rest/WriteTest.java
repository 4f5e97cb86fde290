package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteTest {
    private static final String MODIFIED =
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your changes to the latest version and try again";

    private final TestServer server = TestServer.shared();
    private String maps = "";
    private String namespace = "";

    @BeforeEach
    void ownNamespace() {
        namespace = server.newNamespace();
        maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    @Test
    void aCreatedObjectIsStampedByTheServer() {
        var created = server.post(maps, "{'metadata':{'name':'a'},'data':{'x':'y'}}");
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.text("/kind")).isEqualTo("ConfigMap");
        assertThat(created.text("/apiVersion")).isEqualTo("v1");
        assertThat(created.text("/metadata/namespace")).isEqualTo(namespace);
        assertThat(created.text("/metadata/uid")).hasSize(36);
        assertThat(created.text("/metadata/creationTimestamp")).matches("\\d{4}-.*Z");
        assertThat(server.get(maps + "/a").body()).isEqualTo(created.body());
    }

    @Test
    void aNameIsTakenOnce() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var second = server.post(maps, "{'metadata':{'name':'a'}}");
        assertThat(second.code()).isEqualTo(409);
        assertThat(second.text("/reason")).isEqualTo("AlreadyExists");
        assertThat(second.message()).isEqualTo("configmaps \"a\" already exists");
    }

    @Test
    void aNameIsGeneratedFromItsBeginning() {
        var created = server.post(maps, "{'metadata':{'generateName':'run-'}}");
        assertThat(created.text("/metadata/name")).matches("run-[bcdfghjklmnpqrstvwxz2456789]{5}");
    }

    @Test
    void anObjectWithoutANameIsInvalid() {
        var refused = server.post(maps, "{'metadata':{}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("name or generateName is required");
    }

    @Test
    void aVersionIsNotSetOnCreation() {
        var refused = server.post(maps, "{'metadata':{'name':'a','resourceVersion':'3'}}");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message()).isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @Test
    void theNamespaceMustBeThere() {
        var refused = server.post("/api/v1/namespaces/nowhere/configmaps", "{'metadata':{'name':'a'}}");
        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.message()).isEqualTo("namespaces \"nowhere\" not found");
    }

    @Test
    void theNamespaceOfTheObjectIsThatOfThePath() {
        var refused = server.post(maps, "{'metadata':{'name':'a','namespace':'default'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void aDryRunStoresNothing() {
        assertThat(server.post(maps + "?dryRun=All", "{'metadata':{'name':'a'}}")
                        .code())
                .isEqualTo(201);
        assertThat(server.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void anUpdateReplacesTheObject() {
        var created = server.post(maps, "{'metadata':{'name':'a'},'data':{'x':'y'}}");
        var updated = server.put(maps + "/a", "{'metadata':{'name':'a'},'data':{'x':'z'}}");
        assertThat(updated.code()).isEqualTo(200);
        assertThat(updated.text("/data/x")).isEqualTo("z");
        assertThat(updated.text("/metadata/uid")).isEqualTo(created.text("/metadata/uid"));
        assertThat(updated.body().at("/metadata/resourceVersion").asLong())
                .isGreaterThan(created.body().at("/metadata/resourceVersion").asLong());
    }

    @Test
    void anUpdateUnderAnOldVersionIsAConflict() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var refused = server.put(maps + "/a", "{'metadata':{'name':'a','resourceVersion':'1'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message()).isEqualTo(MODIFIED);
    }

    @Test
    void anUpdateThatChangesNothingIsNotWritten() {
        server.post(maps, "{'metadata':{'name':'a'},'data':{'x':'y'}}");
        var first = server.put(maps + "/a", "{'metadata':{'name':'a'},'data':{'x':'y'}}");
        var second = server.put(maps + "/a", "{'metadata':{'name':'a'},'data':{'x':'y'}}");
        assertThat(second.text("/metadata/resourceVersion")).isEqualTo(first.text("/metadata/resourceVersion"));
    }

    @Test
    void anUpdateToAFreeNameCreatesALeaseButNoConfigMap() {
        assertThat(server.put(maps + "/a", "{'metadata':{'name':'a'}}").code()).isEqualTo(404);
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        assertThat(server.put(leases + "/a", "{'metadata':{'name':'a'},'spec':{}}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void aLeaseIsUpdatedOnlyUnderItsVersion() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        server.post(leases, "{'metadata':{'name':'a'},'spec':{}}");
        var refused = server.put(leases + "/a", "{'metadata':{'name':'a'},'spec':{'holderIdentity':'b'}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("metadata.resourceVersion").contains("must be specified for an update");
    }

    @Test
    void theNameOfTheObjectIsThatOfThePath() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var refused = server.put(maps + "/a", "{'metadata':{'name':'b'}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    void aMergePatchChangesWhatItNames() {
        server.post(maps, "{'metadata':{'name':'a'},'data':{'x':'y','u':'v'}}");
        var patched = server.merge(maps + "/a", "{'data':{'x':null,'w':'1'}}");
        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.body().at("/data").toString()).isEqualTo("{\"u\":\"v\",\"w\":\"1\"}");
    }

    @Test
    void aPatchOfAnUnknownKindIsRefused() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var refused = server.send("PATCH", maps + "/a", "{}", "Content-Type", "application/json");
        assertThat(refused.code()).isEqualTo(415);
        assertThat(refused.message()).isEqualTo("415: Unsupported Media Type");
    }

    @Test
    void serverSideApplyCreatesAndNeedsAManager() {
        String body = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'x':'y'}}";
        var refused = server.send("PATCH", maps + "/a", body, "Content-Type", "application/apply-patch+yaml");
        assertThat(refused.code()).isEqualTo(422);
        var applied =
                server.send("PATCH", maps + "/a?fieldManager=me", body, "Content-Type", "application/apply-patch+yaml");
        assertThat(applied.code()).isEqualTo(201);
        assertThat(applied.text("/metadata/managedFields/0/operation")).isEqualTo("Apply");
    }

    @Test
    void anUnknownFieldIsRefusedWhenTheClientIsStrict() {
        var refused = server.post(maps + "?fieldValidation=Strict", "{'metadata':{'name':'a'},'colour':'red'}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).contains("unknown field \"colour\"");
    }

    @Test
    void anUnknownFieldIsAWarningOtherwise() {
        var created = server.post(maps, "{'metadata':{'name':'a'},'colour':'red'}");
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.raw().headers().firstValue("Warning").orElse(""))
                .isEqualTo("299 - \"unknown field \\\"colour\\\"\"");
    }

    @Test
    void yamlIsUnderstoodAndSpoken() {
        var created = server.send(
                "POST",
                maps,
                "metadata:\n  name: a\ndata:\n  x: 'y'\n",
                "Content-Type",
                "application/yaml",
                "Accept",
                "application/yaml");
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.raw().body()).contains("kind: \"ConfigMap\"");
        assertThat(server.get(maps + "/a").text("/data/x")).isEqualTo("y");
    }

    @Test
    void malformedBodiesAreBadRequests() {
        assertThat(server.post(maps, "{").code()).isEqualTo(400);
        assertThat(server.post(maps, "[]").code()).isEqualTo(400);
        assertThat(server.post(maps, "{'kind':'Pod','apiVersion':'v1'}").code()).isEqualTo(400);
        assertThat(server.send("POST", maps, "x", "Content-Type", "text/plain").code())
                .isEqualTo(415);
    }

    @Test
    void aBodyOfMoreThanThreeMebibytesIsTooLarge() {
        var refused = server.post(maps, "{'metadata':{'name':'a'},'data':{'x':'" + "y".repeat(3 << 20) + "'}}");
        assertThat(refused.code()).isEqualTo(413);
        assertThat(refused.message()).isEqualTo("Request entity too large: limit is 3145728");
        assertThat(server.get(maps + "/a").code()).isEqualTo(404);
    }

    @Test
    void unknownAddressesAndMethodsAreSaidToBeSo() {
        assertThat(server.get("/api/v1/unknown").message())
                .isEqualTo("the server could not find the requested resource");
        assertThat(server.get("/nowhere").code()).isEqualTo(404);
        var refused = server.put(maps, "{}");
        assertThat(refused.code()).isEqualTo(405);
        assertThat(refused.message()).isEqualTo("the server does not allow this method on the requested resource");
        assertThat(server.get(maps + "/a", "Accept", "text/html").code()).isEqualTo(406);
    }

    @Test
    void protobufIsNotSpokenButJsonBesideItIs() {
        server.post(maps, "{'metadata':{'name':'a'}}");
        var answer = server.get(maps + "/a", "Accept", "application/vnd.kubernetes.protobuf,application/json");
        assertThat(answer.text("/kind")).isEqualTo("ConfigMap");
    }
}
