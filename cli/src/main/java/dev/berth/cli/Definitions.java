package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.api.Api;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Berth's own kinds and the claims door's, which its embedded API server serves from the start. */
final class Definitions {
    private static final Api.Resource DEFINITIONS =
            new Api.Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

    private Definitions() {}

    /** Creates what is not there, and returns once all of it is served. */
    static void install(Api api) {
        List<String> names = new ArrayList<>();
        for (String yaml : all()) {
            ObjectNode definition = parse(yaml);
            String name = definition.at("/metadata/name").asText();
            names.add(name);
            if (api.get(DEFINITIONS, "", name).isEmpty()) api.create(DEFINITIONS, "", definition);
        }
        await(names, name -> served(api, name));
    }

    /** The same on a cluster that is the user's: creates what is not there, without the examples' kind. */
    static void install(Cluster cluster) {
        var definitions = cluster.client().apiextensions().v1().customResourceDefinitions();
        List<String> names = new ArrayList<>();
        for (String yaml : ClaimDefinitions.yaml()) {
            var wanted = cluster.serialization().unmarshal(yaml, CustomResourceDefinition.class);
            String name = wanted.getMetadata().getName();
            names.add(name);
            if (definitions.withName(name).get() == null)
                definitions.resource(wanted).create();
        }
        NodeLedgerDefinition.install(cluster);
        await(names, name -> established(definitions.withName(name).get()));
    }

    private static void await(List<String> names, Predicate<String> served) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!names.stream().allMatch(served)) {
            if (System.nanoTime() > deadline) throw new IllegalStateException("not served in time: " + names);
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private static boolean established(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    private static List<String> all() {
        List<String> all = new ArrayList<>(ClaimDefinitions.yaml());
        all.add(ClaimDefinitions.example());
        all.add(NodeLedgerDefinition.yaml());
        return all;
    }

    private static boolean served(Api api, String name) {
        for (JsonNode condition : api.get(DEFINITIONS, "", name)
                .map(each -> each.at("/status/conditions"))
                .orElseThrow()) {
            if (condition.path("type").asText().equals("Established")
                    && condition.path("status").asText().equals("True")) return true;
        }
        return false;
    }

    private static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a definition of our own does not parse", e);
        }
    }
}
