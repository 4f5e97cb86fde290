package dev.berth.e2e.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pages;
import dev.berth.kube.courier.Courier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a server says of an object is the same to us in every encoding, by a list and by a watch. The real server speaks
 * protobuf of pods, nodes and leases; the embedded one speaks JSON whatever it is asked for.
 */
@OnBothServers
class EncodingsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String BOTH = PROTOBUF + ", " + Courier.JSON;
    private static final YAMLMapper YAML = new YAMLMapper();

    @Story
    void aPodIsTheSame(Dialogue server) throws IOException {
        var path = "/api/v1/namespaces/" + server.namespace() + "/pods";
        try (var kube = connect(server);
                var cache = follow(kube, Listing.of(Pod.class).in(server.namespace()))) {
            create(kube, path, "pod.yaml");
            compare(kube, cache, path, Listing.of(Pod.class).in(server.namespace()), PodList.class);
            kube.courier()
                    .patch(
                            path + "/everything/status",
                            Courier.MERGE_PATCH,
                            read("pod-status.yaml").getFirst());
            compare(kube, cache, path, Listing.of(Pod.class).in(server.namespace()), PodList.class);
            kube.courier().delete(path + "/everything?gracePeriodSeconds=0");
            compare(kube, cache, path, Listing.of(Pod.class).in(server.namespace()), PodList.class);
            kube.courier()
                    .patch(path + "/everything", Courier.MERGE_PATCH, YAML.readTree("metadata: {finalizers: null}"));
            compare(kube, cache, path, Listing.of(Pod.class).in(server.namespace()), PodList.class);
            assertThat(cache.all()).hasSize(2);
        }
    }

    @Story
    void aNodeIsTheSame(Dialogue server) throws IOException {
        var path = "/api/v1/nodes";
        server.cleanUp(path + "/encoded");
        server.cleanUp(path + "/encoded-plain");
        try (var kube = connect(server);
                var cache = follow(kube, Listing.of(Node.class))) {
            create(kube, path, "node.yaml");
            compare(kube, cache, path, Listing.of(Node.class), NodeList.class);
            kube.courier()
                    .patch(
                            path + "/encoded/status",
                            Courier.MERGE_PATCH,
                            read("node-status.yaml").getFirst());
            compare(kube, cache, path, Listing.of(Node.class), NodeList.class);
        }
    }

    @Story
    void aLeaseIsTheSame(Dialogue server) throws IOException {
        var path = "/apis/coordination.k8s.io/v1/namespaces/" + server.namespace() + "/leases";
        try (var kube = connect(server);
                var cache = follow(kube, Listing.of(Lease.class).in(server.namespace()))) {
            create(kube, path, "lease.yaml");
            compare(kube, cache, path, Listing.of(Lease.class).in(server.namespace()), LeaseList.class);
        }
    }

    @Story
    void theRealServerSpeaksProtobuf(Dialogue server) {
        var expected = server.cluster().name().equals("real") ? PROTOBUF : Courier.JSON;
        var path = "/api/v1/namespaces/" + server.namespace() + "/pods";
        try (var kube = connect(server);
                var list = kube.courier().read(path, BOTH);
                var watch = kube.courier().watch(path + "?watch=true&timeoutSeconds=1", BOTH, PATIENCE)) {
            assertThat(list.contentType()).startsWith(expected);
            assertThat(watch.contentType()).startsWith(expected);
        }
    }

    private static Cluster connect(Dialogue server) {
        return Cluster.connect(
                ConnectionSettings.of(Optional.of(server.cluster().kubeconfig()), Optional.empty()));
    }

    /** Listens before anything is there, so that all of it comes by the watch. */
    private static <T extends HasMetadata> Cache<T> follow(Cluster kube, Listing<T> listing) {
        var cache = Cache.of(kube, listing);
        cache.start();
        assertThat(cache.awaitSynced(PATIENCE)).isTrue();
        return cache;
    }

    private static void create(Cluster kube, String path, String file) throws IOException {
        for (var object : read(file)) {
            kube.courier().tell("POST", path, object);
        }
    }

    private static <T extends HasMetadata> void compare(
            Cluster kube,
            Cache<T> cache,
            String path,
            Listing<T> listing,
            Class<? extends KubernetesResourceList<T>> type)
            throws IOException {
        var json = kube.watched();
        List<T> expected;
        try (var flow = kube.courier().read(path, Courier.JSON)) {
            expected = sorted(json.readValue(flow.body(), type).getItems());
        }
        Await.until(
                PATIENCE,
                () -> versions(cache.all()).equals(versions(expected)),
                () -> "heard of %s, there is %s".formatted(versions(cache.all()), versions(expected)));

        same(json, sorted(Pages.read(kube, listing, PATIENCE)), expected);
        same(json, sorted(cache.all()), expected);
    }

    /** To equals, and in what it does not look at, such as how a quantity is written. */
    private static <T> void same(ObjectMapper json, List<T> read, List<T> expected) throws IOException {
        assertThat(read).isEqualTo(expected);
        assertThat(json.<JsonNode>valueToTree(read)).isEqualTo(json.<JsonNode>valueToTree(expected));
    }

    private static <T extends HasMetadata> List<T> sorted(List<T> objects) {
        return objects.stream()
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                .toList();
    }

    private static List<String> versions(List<? extends HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getMetadata().getName() + " "
                        + object.getMetadata().getResourceVersion())
                .sorted()
                .toList();
    }

    private static List<JsonNode> read(String file) throws IOException {
        try (var in = EncodingsIT.class.getResourceAsStream(file);
                var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(in)) {
            return new ArrayList<>(documents.readAll());
        }
    }
}
