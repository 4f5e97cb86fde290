package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The definitions of device kinds that the server has from the start. */
public final class BuiltInDefinitions {
    private BuiltInDefinitions() {}

    public static List<ObjectNode> all() {
        // JSON, because reading YAML would cost the start more than all the rest of this room.
        try (var resource = BuiltInDefinitions.class.getResourceAsStream("/dev/berth/apiserver/definitions.json")) {
            if (resource == null) throw new IllegalStateException("the built-in definitions are not on the class path");
            List<ObjectNode> all = new ArrayList<>();
            new ObjectMapper().readTree(resource).forEach(each -> all.add((ObjectNode) each));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
