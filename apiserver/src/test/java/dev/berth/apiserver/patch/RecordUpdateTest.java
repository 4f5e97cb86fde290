package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.json;
import static dev.berth.apiserver.patch.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.kinds.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field sets were taken from kube-apiserver 1.36.3. */
class RecordUpdateTest {
    private static final ResourceType WIDGETS = Kinds.custom(json("""
            {type:'object',properties:{
              metadata:{type:'object'},
              spec:{type:'object',default:{},properties:{
                size:{type:'integer'},
                free:{type:'object','x-kubernetes-preserve-unknown-fields':true},
                items:{type:'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['id'],
                  items:{type:'object',properties:{id:{type:'string'},n:{type:'integer'}}}},
                tags:{type:'array','x-kubernetes-list-type':'set',items:{type:'string'}},
                plain:{type:'array',items:{type:'string'}}}},
              status:{type:'object',properties:{phase:{type:'string'}}}}}"""));

    private static void assertOwned(SharedObject shared, String fields) {
        assertThat(shared.managedFields().path(0).path("fieldsV1")).isEqualTo(json(fields));
    }

    @Test
    void theCreatorOfAPodOwnsWhatItSaysButNotTheSpec() {
        var shared = new SharedObject(Kinds.pods()).update("curl", """
                        {apiVersion:'v1',kind:'Pod',metadata:{name:'a',namespace:'n',creationTimestamp:null},spec:{
                          containers:[{name:'x',image:'i',env:[{name:'A',value:'1'}],resources:{},
                            terminationMessagePath:'/dev/termination-log',terminationMessagePolicy:'File',imagePullPolicy:'Always'}],
                          restartPolicy:'Always',terminationGracePeriodSeconds:30,dnsPolicy:'ClusterFirst',securityContext:{},
                          schedulerName:'default-scheduler',enableServiceLinks:true},status:{phase:'Pending'}}""");

        assertThat(shared.managedFields()).isEqualTo(json("""
                [{manager:'curl',operation:'Update',apiVersion:'v1',time:'2026-01-01T00:00:00Z',fieldsType:'FieldsV1',fieldsV1:
                 {'f:spec':{'f:containers':{'k:{"name":"x"}':{'.':{},'f:env':{'.':{},'k:{"name":"A"}':{'.':{},'f:name':{},'f:value':{}}},
                  'f:image':{},'f:imagePullPolicy':{},'f:name':{},'f:resources':{},'f:terminationMessagePath':{},'f:terminationMessagePolicy':{}}},
                  'f:dnsPolicy':{},'f:enableServiceLinks':{},'f:restartPolicy':{},'f:schedulerName':{},'f:securityContext':{},
                  'f:terminationGracePeriodSeconds':{}}}}]"""));
    }

    @Test
    void theCreatorOfADeploymentOwnsThroughItsTemplate() {
        var shared = new SharedObject(Kinds.deployments()).update("curl", """
                        {metadata:{name:'d',labels:{q:'r'}},spec:{progressDeadlineSeconds:600,replicas:1,selector:{matchLabels:{a:'b'}},
                          strategy:{type:'RollingUpdate',rollingUpdate:{maxSurge:'25%',maxUnavailable:'25%'}},
                          template:{metadata:{labels:{a:'b'}},spec:{containers:[{name:'x',image:'i',
                            resources:{limits:{cpu:'1'}},ports:[{containerPort:80,protocol:'TCP'}]}],nodeSelector:{a:'b'}}}}}""");

        assertOwned(shared, """
                {'f:metadata':{'f:labels':{'.':{},'f:q':{}}},'f:spec':{'f:progressDeadlineSeconds':{},'f:replicas':{},'f:selector':{},
                 'f:strategy':{'f:rollingUpdate':{'.':{},'f:maxSurge':{},'f:maxUnavailable':{}},'f:type':{}},
                 'f:template':{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{'f:containers':{'k:{"name":"x"}':{'.':{},'f:image':{},
                 'f:name':{},'f:ports':{'.':{},'k:{"containerPort":80,"protocol":"TCP"}':{'.':{},'f:containerPort':{},'f:protocol':{}}},
                 'f:resources':{'.':{},'f:limits':{'.':{},'f:cpu':{}}}}},'f:nodeSelector':{}}}}}""");
    }

    @Test
    void theCreatorOfACustomResourceOwnsItsSpecToo() {
        var shared = new SharedObject(WIDGETS).update("curl", """
                        {metadata:{name:'w',labels:{a:'b'}},spec:{size:1,free:{a:{b:1,l:[1]}},items:[{id:'1',n:1}],tags:['x'],plain:['y']},
                         status:{phase:'x'}}""");

        assertOwned(shared, """
                {'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{'.':{},'f:free':{'.':{},'f:a':{'.':{},'f:b':{},'f:l':{}}},
                 'f:items':{'.':{},'k:{"id":"1"}':{'.':{},'f:id':{},'f:n':{}}},'f:plain':{},'f:size':{},'f:tags':{'.':{},'v:"x"':{}}}}""");
    }

    @Test
    void aChangedFieldGoesOverToWhoChangedIt() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1',y:'2'}}")
                .update("two", "{data:{x:'9',y:'2'}}");

        assertThat(shared.entries()).isEqualTo("one Update 00 .data .data.y\ntwo Update 01 .data.x\n");
    }

    @Test
    void aWriteWithoutAChangeLeavesEntriesAndTimes() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1'}}")
                .update("two", "{data:{x:'1'}}");

        assertThat(shared.entries()).isEqualTo("one Update 00 .data .data.x\n");
    }

    @Test
    void aRemovedFieldIsNobodysAndAnEmptyEntryGoes() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1'}}")
                .update("two", "{data:{x:'1',y:'1'}}")
                .update("three", "{data:{x:'1'}}");

        assertThat(shared.entries()).isEqualTo("one Update 00 .data .data.x\n");
    }

    @Test
    void changesOfOneManagerGatherInOneEntryWithTheLatestTime() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1'}}")
                .update("one", "{data:{x:'1',y:'1'}}");

        assertThat(shared.entries()).isEqualTo("one Update 01 .data .data.x .data.y\n");
    }

    @Test
    void aStatusWriteHasAnEntryOfItsOwnAndOwnsNoSpec() {
        var shared = new SharedObject(WIDGETS)
                .update("curl", "{spec:{size:1}}")
                .update("curl", "status", "{metadata:{labels:{a:'c'}},spec:{size:2},status:{phase:'y'}}");

        assertThat(shared.entries())
                .isEqualTo("curl Update 00 .spec .spec.size\ncurl Update/status 01 .status .status.phase\n");
    }

    @Test
    void aScaleHasNoTime() {
        var shared = new SharedObject(Kinds.deployments())
                .update("curl", "{spec:{replicas:1}}")
                .update("sc", "scale", "{spec:{replicas:3}}");

        assertThat(shared.entries()).isEqualTo("sc Update/scale - .spec.replicas\n");
    }

    @Test
    void anEmptyListOfManagedFieldsEndsTheTracking() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1'}}")
                .update("one", "{metadata:{managedFields:[]},data:{x:'1'}}");
        assertThat(shared.entries()).isEmpty();
        assertThat(shared.stored().path("metadata").has("managedFields")).isFalse();

        assertThat(shared.update("one", "{data:{x:'2'}}").entries()).isEmpty();
    }

    @Test
    void forCustomResourcesOnlyAnEmptyEntryEndsTheTracking() {
        var shared = new SharedObject(WIDGETS).update("one", "{spec:{size:1}}");
        assertThat(shared.update("one", "{metadata:{managedFields:[]},spec:{size:1}}")
                        .entries())
                .isNotEmpty();
        assertThat(shared.update("one", "{metadata:{managedFields:[{}]},spec:{size:1}}")
                        .entries())
                .isEmpty();
    }

    @Test
    void managedFieldsThatMakeNoSenseAreIgnored() {
        var shared = new SharedObject(Kinds.configMaps())
                .update("one", "{data:{x:'1'}}")
                .update("two", "{metadata:{managedFields:[{manager:'z',operation:'Bogus'}]},data:{x:'1'}}");

        assertThat(shared.entries()).isEqualTo("one Update 00 .data .data.x\n");
    }

    @Test
    void theEleventhUpdaterPushesTheOldestTwoTogether() {
        var shared = new SharedObject(Kinds.configMaps());
        var data = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            data.append("k").append(i).append(":'1',");
            shared.update("m" + i, "{data:{" + data + "z:'1'}}");
        }

        assertThat(shared.entries().lines()).hasSize(10);
        assertThat(shared.entries()).startsWith("ancient-changes Update 02 .data .data.k0 .data.k1 .data.k2 .data.z\n");
    }

    @Test
    void itemsOfTheSameKeyAreOwnedAsOne() {
        var shared = new SharedObject(WIDGETS).update("one", "{spec:{items:[{id:'1',n:1},{id:'1',n:2}]}}");

        assertOwned(shared, "{'f:spec':{'.':{},'f:items':{'.':{},'k:{\"id\":\"1\"}':{}}}}");
    }

    @Test
    void onlyTheTimesOfManagedFieldsDoNotMakeAChange() {
        String one =
                "{a:1,metadata:{managedFields:[{manager:'m',operation:'Update',apiVersion:'v1',time:'%s',fieldsType:'FieldsV1',fieldsV1:{'f:a':{}}}]}}";
        var live = object(one.formatted("2026-01-01T00:00:00Z"));
        var later = object(one.formatted("2026-01-01T00:00:09Z"));
        var other = object(one.formatted("2026-01-01T00:00:09Z").replace("a:1", "a:2"));

        assertThat(FieldManager.isUnchanged(live, later)).isTrue();
        assertThat(FieldManager.isUnchanged(live, other)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "kubectl/v1.32.0 (linux/amd64) kubernetes/abc, kubectl",
        "curl/8.5.0, curl",
        "Mozilla, Mozilla",
        "'', unknown",
        "/x, unknown"
    })
    void theNameComesFromTheUserAgent(String userAgent, String name) {
        assertThat(FieldManager.nameFrom(userAgent)).isEqualTo(name);
    }
}
