package dev.berth.extender.quota;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How many GPUs of each model a namespace may use, and in which pools. A namespace that is not named may use all. */
public record QuotaRules(Map<String, Rule> byNamespace) {
    public static final QuotaRules NONE = new QuotaRules(Map.of());

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** One namespace's; no pool named means any. */
    public record Rule(Map<String, Integer> gpus, List<String> pools) {
        public Rule {
            gpus = Map.copyOf(gpus);
            pools = List.copyOf(pools);
        }

        public boolean takes(String pool) {
            return pools.isEmpty() || pools.contains(pool);
        }

        public long limit(String model) {
            return (long) gpus.getOrDefault(model, 0) * Slice.WHOLE;
        }
    }

    public QuotaRules {
        byNamespace = Map.copyOf(byNamespace);
    }

    public Optional<Rule> of(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace));
    }

    /** @throws IllegalArgumentException with what is wrong and where */
    public static QuotaRules parse(String text) {
        JsonNode tree;
        try {
            tree = JSON.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("it is not JSON: " + malformed.getOriginalMessage(), malformed);
        }
        if (!tree.isObject()) {
            throw new IllegalArgumentException("it is not a JSON object with a key for each namespace");
        }
        var rules = new TreeMap<String, Rule>();
        tree.properties().forEach(each -> rules.put(each.getKey(), rule(each.getKey(), each.getValue())));
        return new QuotaRules(rules);
    }

    private static Rule rule(String namespace, JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException("namespace %s: not an object".formatted(namespace));
        }
        var gpus = new TreeMap<String, Integer>();
        var quota = field(tree, "quota");
        if (!quota.isMissingNode() && !quota.isNull() && !quota.isObject()) {
            throw new IllegalArgumentException("namespace %s: quota is not an object".formatted(namespace));
        }
        quota.properties().forEach(each -> {
            if (!each.getValue().isInt() || each.getValue().asInt() < 0) {
                throw new IllegalArgumentException("namespace %s: quota of %s is not a number of GPUs: %s"
                        .formatted(namespace, each.getKey(), each.getValue()));
            }
            if (each.getKey().isBlank()) {
                throw new IllegalArgumentException("namespace %s: a GPU model has no name".formatted(namespace));
            }
            gpus.put(each.getKey(), each.getValue().asInt());
        });
        var pools = new ArrayList<String>();
        var pool = field(tree, "pool");
        if (!pool.isMissingNode() && !pool.isNull() && !pool.isArray()) {
            throw new IllegalArgumentException("namespace %s: pool is not a list".formatted(namespace));
        }
        for (var name : pool) {
            if (!name.isTextual()) {
                throw new IllegalArgumentException(
                        "namespace %s: pool holds something that is not a name: %s".formatted(namespace, name));
            }
            pools.add(name.asText());
        }
        return new Rule(gpus, pools);
    }

    /** In any letter case, as Go takes it: a Quota that is passed over would forbid the namespace every GPU. */
    private static JsonNode field(JsonNode object, String name) {
        return object.properties().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(MissingNode.getInstance());
    }
}
