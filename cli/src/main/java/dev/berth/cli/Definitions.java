package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.api.Api;
import dev.berth.kube.ledger.NodeLedgerDefinition;

/** Berth's own kinds, which its embedded API server serves from the start. */
final class Definitions {
    private static final Api.Resource DEFINITIONS =
            new Api.Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

    private Definitions() {}

    static void install(Api api) {
        ObjectNode definition = parse(NodeLedgerDefinition.yaml());
        String name = definition.at("/metadata/name").asText();
        if (api.get(DEFINITIONS, "", name).isEmpty()) api.create(DEFINITIONS, "", definition);
    }

    private static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a definition of our own does not parse", e);
        }
    }
}
