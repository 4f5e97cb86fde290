package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The definitions of device kinds that the server has from the start. */
public final class BuiltInDefinitions {
    private BuiltInDefinitions() {}

    public static List<ObjectNode> all() {
        try (var resource = BuiltInDefinitions.class.getResourceAsStream("/dev/berth/apiserver/definitions.yaml")) {
            if (resource == null) throw new IllegalStateException("the built-in definitions are not on the class path");
            List<ObjectNode> all = new ArrayList<>();
            try (var documents = new YAMLMapper().readerFor(ObjectNode.class).<ObjectNode>readValues(resource)) {
                while (documents.hasNext()) all.add(documents.next());
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
