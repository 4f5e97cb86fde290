package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION =
            "{'metadata':{'name':'foos.example.com'},'spec':{'group':'example.com','scope':'Cluster','names':{'plural':'foos','singular':'foo','kind':'Foo','listKind':'FooList'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}";
    private static final String FOOS = "/apis/example.com/v1/foos";

    @TempDir
    Path directory;

    private ApiServer start() {
        return ApiServer.start(
                ApiServerSettings.defaults().withPort(0).withDataDir(directory).withoutControllers());
    }

    @Test
    void objectsAndTheirKindsAreThereAgain() throws InterruptedException {
        TestServer.Answer before;
        try (ApiServer first = start()) {
            var server = new TestServer(first);
            server.post(DEFINITIONS, DEFINITION);
            awaitServed(server);
            server.post(FOOS, "{'apiVersion':'example.com/v1','kind':'Foo','metadata':{'name':'f'},'spec':{'x':1}}");
            before = server.get(FOOS + "/f");
        }
        try (ApiServer second = start()) {
            var server = new TestServer(second);
            assertThat(server.get(FOOS + "/f").body()).isEqualTo(before.body());
            assertThat(server.get(FOOS + "/f").code()).isEqualTo(200);
            assertThat(server.delete(FOOS + "/f").code()).isEqualTo(200);
        }
    }

    @Test
    void anAddressOfAFormerRunIsNotGivenAgain() {
        String before;
        try (ApiServer first = start()) {
            before = clusterAddress(new TestServer(first), "one");
        }
        try (ApiServer second = start()) {
            assertThat(clusterAddress(new TestServer(second), "two"))
                    .startsWith("10.96.")
                    .isNotEqualTo(before);
        }
    }

    private static String clusterAddress(TestServer server, String name) {
        String service = "{'apiVersion':'v1','kind':'Service','metadata':{'name':'%s'},'spec':{'ports':[{'port':80}]}}"
                .formatted(name);
        return server.post("/api/v1/namespaces/default/services", service).text("/spec/clusterIP");
    }

    private static void awaitServed(TestServer server) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (server.get(FOOS).code() != 200) {
            assertThat(System.nanoTime()).as("the kind is served in time").isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}
