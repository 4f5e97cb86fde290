package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** Objects as tests write them. */
final class Json {
    private static final YAMLMapper YAML = new YAMLMapper();

    private Json() {}

    static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** A definition of widgets.example.com with this schema for {@code spec}. */
    static ObjectNode widgets(String specSchema) {
        ObjectNode definition = yaml("""
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all]}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
                    additionalPrinterColumns:
                    - {name: Size, type: integer, jsonPath: .spec.size}
                    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}
                    - {name: All, type: string, jsonPath: '.spec.tags[*]', priority: 1}
                    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
                """);
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties"))
                .set("spec", yaml(specSchema));
        return definition;
    }
}
