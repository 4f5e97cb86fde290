package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** What Kubernetes knows of a Secret. */
final class SecretRules implements KindRules {
    private static final String ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public void applyDefaults(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode plain)
            for (var entry : plain.properties())
                objectAt(secret, "data")
                        .put(entry.getKey(), encoded(entry.getValue().asText()));
        defaultText(secret, "type", "Opaque");
    }

    private static String encoded(String plain) {
        return Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public List<FieldError> validate(ObjectNode secret) {
        var errors = new Errors();
        content(secret, errors);
        return errors.list();
    }

    private static void content(ObjectNode secret, Errors errors) {
        JsonNode data = at(secret, "data");
        long size = 0;
        for (var entry : data.properties()) {
            errors.invalid("data[" + entry.getKey() + "]", entry.getKey(), Names.configKey(entry.getKey()));
            size += ConfigMapRules.decodedLength(entry.getValue().asText());
        }
        if (size > ConfigMapRules.SIZE_LIMIT) errors.tooLong("data", ConfigMapRules.SIZE_LIMIT);
        switch (text(secret, "type")) {
            case "kubernetes.io/service-account-token" -> account(at(at(secret, "metadata"), "annotations"), errors);
            case "kubernetes.io/dockercfg" -> docker(data, ".dockercfg", errors);
            case "kubernetes.io/dockerconfigjson" -> docker(data, ".dockerconfigjson", errors);
            case "kubernetes.io/basic-auth" -> {
                if (!has(data, "username") && !has(data, "password")) {
                    errors.required("data[username]", "");
                    errors.required("data[password]", "");
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (text(data, "ssh-privatekey").isEmpty()) errors.required("data[ssh-privatekey]", "");
            }
            case "kubernetes.io/tls" -> {
                for (String key : List.of("tls.crt", "tls.key"))
                    if (!has(data, key)) errors.required("data[" + key + "]", "");
            }
            default -> {}
        }
    }

    private static void account(JsonNode annotations, Errors errors) {
        if (text(annotations, ACCOUNT_ANNOTATION).isEmpty())
            errors.required("metadata.annotations[" + ACCOUNT_ANNOTATION + "]", "");
    }

    private static void docker(JsonNode data, String key, Errors errors) {
        String at = "data[" + key + "]";
        if (!has(data, key)) {
            errors.required(at, "");
            return;
        }
        String content = new String(GoForm.decodedBytes(text(data, key)), StandardCharsets.UTF_8);
        try {
            JSON.readTree(content);
        } catch (JsonProcessingException _) {
            errors.invalid(at, "<secret contents redacted>", complaint(content.strip()));
        }
    }

    private static String complaint(String content) {
        return content.isEmpty()
                ? "unexpected end of JSON input"
                : "invalid character '%s' looking for beginning of value".formatted(content.charAt(0));
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        if (!text(next, "type").equals(text(old, "type")))
            errors.invalid("type", text(next, "type"), Metadata.IMMUTABLE);
        ConfigMapRules.frozen(next, old, List.of("data"), errors);
        content(next, errors);
        return errors.list();
    }
}
