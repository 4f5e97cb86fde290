package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.json;
import static dev.berth.apiserver.patch.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outcomes and messages were taken from kube-apiserver 1.36.3. */
class ApplyTest {
    private static SharedObject configMap() {
        return new SharedObject(Kinds.configMaps());
    }

    private static SharedObject pod() {
        return new SharedObject(Kinds.pods());
    }

    @Test
    void applyCreatesAndOwnsWhatItSays() {
        var shared = configMap().apply("m1", "{metadata:{name:'s1',labels:{a:'1'}},data:{x:'1',y:'2'}}");

        assertThat(shared.content()).isEqualTo(json("{metadata:{name:'s1',labels:{a:'1'}},data:{x:'1',y:'2'}}"));
        assertThat(shared.managedFields()).isEqualTo(json("""
                [{manager:'m1',operation:'Apply',apiVersion:'v1',time:'2026-01-01T00:00:00Z',fieldsType:'FieldsV1',
                  fieldsV1:{'f:data':{'f:x':{},'f:y':{}},'f:metadata':{'f:labels':{'f:a':{}}}}}]"""));
    }

    @Test
    void applyingTheSameAgainChangesNothing() {
        String body = "{metadata:{name:'s1',labels:{a:'1'}},data:{x:'1',y:'2'}}";
        var once = configMap().apply("m1", body).stored().deepCopy();

        assertThat(configMap().apply("m1", body).apply("m1", body).stored()).isEqualTo(once);
    }

    @Test
    void whoAppliesTheSameValueSharesTheFieldAndHasNoTime() {
        var shared = configMap().apply("m1", "{data:{x:'1',y:'2'}}").apply("m2", "{data:{x:'1'}}");

        assertThat(shared.entries()).isEqualTo("m2 Apply - .data.x\nm1 Apply 00 .data.x .data.y\n");
    }

    @Test
    void whatIsNoLongerAppliedGoesUnlessAnotherOwnsIt() {
        var shared = configMap()
                .apply("m1", "{metadata:{labels:{a:'1'}},data:{x:'1',y:'2'}}")
                .apply("m2", "{data:{x:'1'}}")
                .apply("m1", "{data:{y:'2'}}");

        assertThat(shared.content()).isEqualTo(json("{data:{x:'1',y:'2'}}"));
        assertThat(shared.entries()).isEqualTo("m2 Apply - .data.x\nm1 Apply 02 .data.y\n");
    }

    @Test
    void whatWasOnlyUpdatedStays() {
        var shared = configMap()
                .update("u", "{metadata:{name:'a'},data:{u:'1'}}")
                .apply("m1", "{data:{x:'1'}}")
                .apply("m1", "{}");

        assertThat(shared.content()).isEqualTo(json("{metadata:{name:'a'},data:{u:'1'}}"));
        assertThat(shared.entries()).isEqualTo("u Update 00 .data .data.u\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {data:{x:'9'}}         | Apply failed with 1 conflict: conflict with "m1": .data.x
            {data:{x:'9',y:'9'}}   | Apply failed with 2 conflicts: conflicts with "m1":\\n- .data.x\\n- .data.y
            {data:{u:'9'}}         | Apply failed with 1 conflict: conflict with "u" using v1: .data.u
            {data:{u:'9',x:'9'}}   | Apply failed with 2 conflicts: conflicts with "m1":\\n- .data.x\\nconflicts with "u" using v1:\\n- .data.u
            """)
    void anotherValueForAnotherManagersFieldIsAConflict(String body, String message) {
        var shared = configMap().apply("m1", "{data:{x:'1',y:'2'}}").update("u", "{data:{x:'1',y:'2',u:'1'}}");

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> shared.apply("m2", body))
                .withMessage(message.replace("\\n", "\n"))
                .matches(e -> e.code() == 409 && e.reason().equals("Conflict"));
    }

    @Test
    void aConflictNamesTheManagersSubresourceInItsCauses() {
        var shared = new SharedObject(Kinds.deployments())
                .update("curl", "{spec:{replicas:1}}")
                .update("sc", "scale", "{spec:{replicas:3}}");

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> shared.apply("q", "{spec:{replicas:5}}"))
                .satisfies(e -> assertThat(e.toStatus().path("details")).isEqualTo(json("""
                {causes:[{reason:'FieldManagerConflict',message:'conflict with "sc" with subresource "scale" using apps/v1',field:'.spec.replicas'}]}""")));
    }

    @Test
    void forceTakesTheField() {
        var shared = configMap().apply("m1", "{data:{y:'2'}}").apply("m2", "", true, "{data:{y:'9'}}");

        assertThat(shared.content()).isEqualTo(json("{data:{y:'9'}}"));
        assertThat(shared.entries()).isEqualTo("m2 Apply 01 .data.y\n");
    }

    @Test
    void itemsAreOwnedByKeyWithItsDefault() {
        var shared = pod().apply("m1", """
                        {metadata:{name:'p1',finalizers:['a.b/c'],labels:{}},spec:{containers:[{name:'x',image:'i',ports:[{containerPort:80}],
                          env:[{name:'A',value:'1'}],resources:{limits:{cpu:1}}}],nodeSelector:{a:'b'},tolerations:[{key:'a',operator:'Exists'}]},
                         status:{phase:'Running'}}""");

        assertThat(shared.managedFields().path(0).path("fieldsV1")).isEqualTo(json("""
                {'f:metadata':{'f:finalizers':{'v:"a.b/c"':{}},'f:labels':{}},'f:spec':{'f:containers':{'k:{"name":"x"}':{'.':{},
                 'f:env':{'k:{"name":"A"}':{'.':{},'f:name':{},'f:value':{}}},'f:image':{},'f:name':{},
                 'f:ports':{'k:{"containerPort":80,"protocol":"TCP"}':{'.':{},'f:containerPort':{}}},
                 'f:resources':{'f:limits':{'f:cpu':{}}}}},'f:nodeSelector':{},'f:tolerations':{}}}"""));
    }

    @Test
    void aPortIsTheSameWithItsDefaultProtocolAndWithout() {
        var shared = pod().update("u", "{spec:{containers:[{name:'x',ports:[{containerPort:80,protocol:'TCP'}]}]}}")
                .apply(
                        "m",
                        "{spec:{containers:[{name:'x',ports:[{containerPort:80,name:'web'},{containerPort:80,protocol:'UDP'}]}]}}");

        assertThat(shared.content())
                .isEqualTo(
                        json(
                                "{spec:{containers:[{name:'x',ports:[{containerPort:80,protocol:'TCP',name:'web'},{containerPort:80,protocol:'UDP'}]}]}}"));
    }

    @Test
    void aContainerThatIsNoLongerAppliedGoesWhole() {
        var shared = pod().apply("m", "{spec:{containers:[{name:'x',image:'i'},{name:'y',image:'j'}]}}")
                .apply("m", "{spec:{containers:[{name:'y',image:'j'}]}}");

        assertThat(shared.content()).isEqualTo(json("{spec:{containers:[{name:'y',image:'j'}]}}"));
    }

    @Test
    void ofAContainerThatAnotherOwnsOnlyTheOwnFieldsGo() {
        var shared = pod().apply("m", "{spec:{containers:[{name:'x',image:'i',tty:true}]}}")
                .apply("n", "{spec:{containers:[{name:'x',image:'i'}]}}")
                .apply("m", "{spec:{containers:[]}}");

        assertThat(shared.content()).isEqualTo(json("{spec:{containers:[{name:'x',image:'i'}]}}"));
        assertThat(shared.entries().lines()).hasSize(1);
    }

    @Test
    void anAppliedSetAndMapKeepTheLiveItemsAndTheirOrder() {
        var shared = new SharedObject(
                        Kinds.pods(),
                        "{metadata:{uid:'u',finalizers:['x/y']},spec:{containers:[{name:'1',image:'a'}]}}")
                .apply("m", "", true, "{metadata:{finalizers:['q/r','x/y']},spec:{containers:[{name:'0'}]}}");

        assertThat(shared.content())
                .isEqualTo(
                        json(
                                "{metadata:{uid:'u',finalizers:['q/r','x/y']},spec:{containers:[{name:'1',image:'a'},{name:'0'}]}}"));
    }

    @Test
    void anAtomicListIsReplacedWhole() {
        var shared = pod().apply("m", "{spec:{tolerations:[{key:'a'},{key:'b'}]}}")
                .apply("m", "{spec:{tolerations:[{key:'c'}]}}");

        assertThat(shared.content()).isEqualTo(json("{spec:{tolerations:[{key:'c'}]}}"));
    }

    @Test
    void anUntrackedObjectBelongsToWhoeverCameBefore() {
        var shared = new SharedObject(Kinds.configMaps(), "{metadata:{uid:'u'},data:{x:'1',y:'1'}}");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> shared.apply("m", "{data:{x:'2'}}"))
                .withMessage("Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.x");

        assertThat(shared.apply("m", "{data:{z:'2'}}").entries())
                .isEqualTo("m Apply 00 .data.z\nbefore-first-apply Update 00 .data .data.x .data.y\n");
    }

    @Test
    void kubectlMeetsNoConflictWithItsClientSideSelfAndKeepsTheAnnotation() {
        String last =
                "{\\\"apiVersion\\\":\\\"v1\\\",\\\"kind\\\":\\\"ConfigMap\\\",\\\"metadata\\\":{},\\\"data\\\":{\\\"x\\\":\\\"1\\\"}}";
        var shared = configMap()
                .update(
                        "kubectl-client-side-apply",
                        "{metadata:{annotations:{'kubectl.kubernetes.io/last-applied-configuration':\"" + last
                                + "\"}},data:{x:'1'}}");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> shared.apply("other", "{data:{x:'2'}}"))
                .withMessage(
                        "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using v1: .data.x");

        shared.apply("kubectl", "{data:{x:'2'}}");

        assertThat(shared.stored().path("data")).isEqualTo(json("{x:'2'}"));
        assertThat(shared.stored()
                        .path("metadata")
                        .path("annotations")
                        .path("kubectl.kubernetes.io/last-applied-configuration")
                        .asText())
                .isEqualTo("{\"data\":{\"x\":\"2\"},\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}\n");
    }

    @Test
    void aStatusApplyOwnsStatusOnly() {
        var shared = pod().apply("m1", "{metadata:{name:'p1'},spec:{nodeName:'n'}}")
                .apply("m2", "status", false, "{metadata:{name:'p1'},spec:{hostname:'x'},status:{phase:'Failed'}}");

        assertThat(shared.entries()).isEqualTo("m1 Apply 00 .spec.nodeName\nm2 Apply/status 01 .status.phase\n");
    }

    @Test
    void undeclaredFieldsAreOwnedByTheirLooks() {
        var shared = pod().apply("m", "{spec:{gizmo:{a:1,l:[1,2]}}}");

        assertThat(shared.managedFields().path(0).path("fieldsV1"))
                .isEqualTo(json("{'f:spec':{'f:gizmo':{'.':{},'f:a':{},'f:l':{}}}}"));
        assertThat(shared.apply("m", "{spec:{gizmo:{a:1}}}").content()).isEqualTo(json("{spec:{gizmo:{a:1}}}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {apiVersion:'v1',kind:'ConfigMap',metadata:{managedFields:[]}} | 400 | metadata.managedFields must be nil
            {apiVersion:'v1',kind:'Pod'}       | 400 | invalid object type: /v1, Kind=Pod
            {apiVersion:'v2',kind:'ConfigMap'} | 400 | invalid object type: /v2, Kind=ConfigMap
            {apiVersion:'a/v1',kind:'ConfigMap'} | 400 | invalid object type: a/v1, Kind=ConfigMap
            {kind:'ConfigMap'}                 | 400 | invalid object type: /, Kind=ConfigMap
            {apiVersion:'v1'}                  | 400 | invalid object type: /v1, Kind=
            {apiVersion:'v1',kind:'ConfigMap',metadata:{name:'s1'},data:{z:9}} | 500 | failed to create typed patch object (/s1; /v1, Kind=ConfigMap): .data.z: expected string, got &value.valueUnstructured{Value:9}
            {apiVersion:'v1',kind:'ConfigMap',metadata:{name:'s1'},data:[1]}   | 500 | failed to create typed patch object (/s1; /v1, Kind=ConfigMap): .data: expected map, got &{[1]}
            """)
    void whatCannotBeAppliedIsRefused(String body, int code, String message) {
        var shared = new FieldManager("m", Kinds.configMaps(), "", Instant.EPOCH);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> shared.apply(null, object(body), false))
                .withMessage(message)
                .matches(e -> e.code() == code);
    }

    @Test
    void theSameKeyTwiceIsRefused() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> pod().apply("m", "{metadata:{name:'p1'},spec:{containers:[{name:'x'},{name:'x'}]}}"))
                .withMessage(
                        "failed to create typed patch object (/p1; /v1, Kind=Pod): .spec.containers: duplicate entries for key [name=\"x\"]");
    }

    @Test
    void applyWithoutAManagerIsInvalid() {
        assertThat(FieldManager.missingName().toStatus()).isEqualTo(json("""
                {kind:'Status',apiVersion:'v1',metadata:{},status:'Failure',
                 message:'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',reason:'Invalid',
                 details:{group:'meta.k8s.io',kind:'PatchOptions',causes:[
                   {reason:'FieldValueRequired',message:'Required value: is required for apply patch',field:'fieldManager'}]},code:422}"""));
    }

    @Test
    void servicePortsOfOneNumberAreToldApartByProtocol() {
        ResourceType services = Kinds.services();
        var shared = new SharedObject(services)
                .apply("m", "{spec:{ports:[{port:53,protocol:'TCP',name:'a'},{port:53,protocol:'UDP',name:'b'}]}}")
                .apply("m", "{spec:{ports:[{port:53,protocol:'UDP',name:'b'}]}}");

        assertThat(shared.content()).isEqualTo(json("{spec:{ports:[{port:53,protocol:'UDP',name:'b'}]}}"));
    }
}
