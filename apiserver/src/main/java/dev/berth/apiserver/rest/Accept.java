package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import java.util.Locale;

/**
 * What the Accept header asks for, after what this server does not speak is left out.
 *
 * @param form how objects are to look
 */
record Accept(Form form, boolean yaml) {
    private static final String ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final Accept JSON = new Accept(Form.WHOLE, false);

    enum Form {
        WHOLE,
        METADATA,
        TABLE
    }

    /** @param transforms whether the address can show its objects as tables and bare metadata */
    static Accept of(String header, boolean transforms) {
        if (header.isEmpty() || header.equals("application/json") || header.equals("*/*")) return JSON;
        boolean spoken = false;
        for (String range : header.split(",")) {
            String[] parts = range.split(";");
            String media = parts[0].strip().toLowerCase(Locale.ROOT);
            boolean yaml = media.equals("application/yaml");
            boolean json = media.equals("application/json") || media.equals("*/*") || media.equals("application/*");
            spoken |= json || yaml || media.equals("application/vnd.kubernetes.protobuf");
            if (!json && !yaml) continue;
            String as = parameter(parts, "as");
            if (as.isEmpty()) return new Accept(Form.WHOLE, yaml);
            if (!transforms || !parameter(parts, "g").equals("meta.k8s.io")) continue;
            if (!parameter(parts, "v").equals("v1")) continue;
            switch (as) {
                case "Table" -> {
                    return new Accept(Form.TABLE, yaml);
                }
                case "PartialObjectMetadata", "PartialObjectMetadataList" -> {
                    return new Accept(Form.METADATA, yaml);
                }
                default -> {}
            }
        }
        throw spoken ? ApiException.notAcceptable(ACCEPTED) : ApiException.notSpoken();
    }

    private static String parameter(String[] parts, String name) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith(name + "=")) return part.substring(name.length() + 1);
        }
        return "";
    }
}
