package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.json;
import static dev.berth.apiserver.patch.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.apiserver.kinds.Schema;
import dev.berth.apiserver.status.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages were taken from kube-apiserver 1.36.3. */
class StrategicMergePatchTest {
    private static final Schema POD = Kinds.pods().schema();
    private static final Schema DEPLOYMENT = Kinds.deployments().schema();

    private static void assertPatched(Schema schema, String original, String patch, String result) {
        assertThat(StrategicMergePatch.apply(object(original), json(patch), schema)
                        .toString())
                .isEqualTo(json(result).toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {containers:[{name:'a',image:'1'}]} | {containers:[{name:'a',image:'2'}]} | {containers:[{name:'a',image:'2'}]}
            {containers:[{name:'a'}]} | {containers:[{name:'b'}]} | {containers:[{name:'b'},{name:'a'}]}
            {containers:[{name:'a'},{name:'b'}]} | {containers:[{name:'a',$patch:'delete'}]} | {containers:[{name:'b'}]}
            {containers:[{name:'a'}]} | {containers:[{$patch:'replace'},{name:'c'}]} | {containers:[{name:'c'}]}
            {containers:[{name:'a',env:[{name:'A',value:'1'}]}]} | {containers:[{name:'a',env:[{name:'B',value:'2'}]}]} | {containers:[{name:'a',env:[{name:'B',value:'2'},{name:'A',value:'1'}]}]}
            {containers:[{name:'a',command:['x','y']}]} | {containers:[{name:'a',command:['z']}]} | {containers:[{name:'a',command:['z']}]}
            {containers:[{name:'a',image:'1'}]} | {containers:[{name:'a',image:null}]} | {containers:[{name:'a'}]}
            {tolerations:[{key:'a'}]} | {tolerations:[{key:'b'}]} | {tolerations:[{key:'b'}]}
            {nodeSelector:{a:'1'}} | {nodeSelector:{b:'2'}} | {nodeSelector:{a:'1',b:'2'}}
            {nodeSelector:{a:'1'}} | {nodeSelector:{$patch:'replace',b:'2'}} | {nodeSelector:{b:'2'}}
            {nodeSelector:{a:'1'}} | {nodeSelector:{$patch:'delete'}} | {nodeSelector:{}}
            {nodeSelector:{a:'1'}} | {nodeSelector:null} | {}
            {} | {nodeSelector:{a:null,b:'2'}} | {nodeSelector:{b:'2'}}
            {} | {containers:[{name:'a',$patch:'delete'},{name:'b',env:[{name:'X',$patch:'delete'}]}]} | {containers:[{name:'b',env:[]}]}
            {volumes:[{name:'v',emptyDir:{}}]} | {volumes:[{name:'v',$retainKeys:['name','hostPath'],hostPath:{path:'/x'}}]} | {volumes:[{name:'v',hostPath:{path:'/x'}}]}
            {containers:[{name:'a'},{name:'b'},{name:'c'}]} | {$setElementOrder/containers:[{name:'c'},{name:'a'},{name:'b'}]} | {containers:[{name:'c'},{name:'a'},{name:'b'}]}
            {containers:[{name:'a'},{name:'s'},{name:'b'}]} | {$setElementOrder/containers:[{name:'b'},{name:'a'},{name:'n'}],containers:[{name:'n'}]} | {containers:[{name:'s'},{name:'b'},{name:'a'},{name:'n'}]}
            {containers:[{name:'s'},{name:'a'}]} | {$setElementOrder/containers:[{name:'a'},{name:'n'}],containers:[{name:'a',image:'2'},{name:'n'}]} | {containers:[{name:'s'},{name:'a',image:'2'},{name:'n'}]}
            {containers:[{name:'a'},{name:'b'}]} | {$setElementOrder/containers:[{name:'b'}],containers:[{name:'a',$patch:'delete'}]} | {containers:[{name:'b'}]}
            {unknown:{a:1,l:[1]}} | {unknown:{b:2,l:[2]}} | {unknown:{a:1,l:[2],b:2}}
            {nodeName:'a'} | {nodeName:{b:1}} | {nodeName:{b:1}}
            """)
    void podSpecsMergeByTheirSchema(String original, String patch, String result) {
        String quoted = patch.replaceAll("\\$setElementOrder/containers", "'\\$setElementOrder/containers'");
        assertPatched(POD, "{spec:" + original + "}", "{spec:" + quoted + "}", "{spec:" + result + "}");
    }

    @Test
    void primitiveListsMergeAndLoseItemsByName() {
        assertPatched(
                POD,
                "{metadata:{finalizers:['a','b','c']}}",
                "{metadata:{'$deleteFromPrimitiveList/finalizers':['b'],'$setElementOrder/finalizers':['d','a','c'],finalizers:['d']}}",
                "{metadata:{finalizers:['d','a','c']}}");
    }

    @Test
    void kubectlsChangeOfAStrategyKeepsOnlyTheKeysThatItNames() {
        assertPatched(
                DEPLOYMENT,
                "{spec:{strategy:{type:'RollingUpdate',rollingUpdate:{maxSurge:1}}}}",
                "{spec:{strategy:{$retainKeys:['type'],type:'Recreate'}}}",
                "{spec:{strategy:{type:'Recreate'}}}");
    }

    @Test
    void portsOfTheSameNumberAreFoundByTheMergeKeyAlone() {
        assertPatched(
                POD,
                "{spec:{containers:[{name:'a',ports:[{containerPort:80,protocol:'TCP'},{containerPort:81}]}]}}",
                "{spec:{containers:[{name:'a',ports:[{containerPort:80,name:'web'}]}]}}",
                "{spec:{containers:[{name:'a',ports:[{containerPort:80,protocol:'TCP',name:'web'},{containerPort:81}]}]}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {spec:{containers:[{image:'z'}]}} | 500 | map: map[image:z] does not contain declared merge key: name
            {$patch:'bogus'} | 500 | unknown patch type: bogus in map: map[$patch:bogus]
            {spec:{containers:[{$patch:'bogus',name:'x'}]}} | 500 | unknown patch type: bogus in map: map[$patch:bogus name:x]
            {spec:{containers:[{$patch:'merge',name:'x'}]}} | 500 | merging lists cannot yet be specified in the patch
            {metadata:{$deleteFromPrimitiveListfinalizers:['a']}} | 400 | invalid patch format of primitive list
            {spec:{$retainKeys:'x'}} | 400 | invalid patch format of retainKeys
            {spec:{$retainKeys:['x'],nodeName:'d'}} | 400 | invalid patch format of retainKeys
            {spec:{containers:[1]}} | 500 | list element types are not identical: [[map[image:i name:x]] [1]]
            {spec:{'$setElementOrder/containers':'a'}} | 500 | expected a []interface {}, but received a string
            {spec:{'$setElementOrder/containers':[{foo:'a'}],containers:[{name:'x'}]}} | 500 | map: map[foo:a] does not contain declared merge key: name
            [] | 400 | json: cannot unmarshal array into Go value of type map[string]interface {}
            """)
    void aPatchThatMakesNoSenseFailsAsInKubernetes(String patch, int code, String message) {
        var pod = object("{metadata:{finalizers:['a']},spec:{containers:[{name:'x',image:'i'}]}}");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> StrategicMergePatch.apply(pod, json(patch), POD))
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code))
                .satisfies(e ->
                        assertThat(e.toStatus().path("reason").asText()).isEqualTo(code == 500 ? "" : "BadRequest"));
    }

    @Test
    void anOrderThatContradictsThePatchIsRefused() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> StrategicMergePatch.apply(
                        object("{spec:{containers:[{name:'x'}]}}"),
                        json("{spec:{'$setElementOrder/containers':[{name:'y'}],containers:[{name:'x'}]}}"),
                        POD))
                .withMessage(
                        "The order in patch list:\n[map[name:x]]\n doesn't match $setElementOrder list:\n[map[name:y]]\n");
    }

    @Test
    void nothingIsPatchedByNull() {
        assertPatched(POD, "{spec:{}}", "null", "{spec:{}}");
    }
}
