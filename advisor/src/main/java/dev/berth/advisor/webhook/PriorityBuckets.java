package dev.berth.advisor.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which score earns which priority class. */
public record PriorityBuckets(List<Bucket> buckets) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String LOWEST = "gpu-default";

    /** As published. */
    public static final PriorityBuckets STANDARD = new PriorityBuckets(List.of(
            new Bucket(90, "gpu-ultra"),
            new Bucket(70, "gpu-high"),
            new Bucket(50, "gpu-medium"),
            new Bucket(0, LOWEST)));

    /** A class for scores from this one on. */
    public record Bucket(double minScore, String priorityClassName) {}

    public PriorityBuckets {
        buckets = buckets.stream()
                .sorted(Comparator.comparingDouble(Bucket::minScore).reversed())
                .toList();
    }

    /**
     * Reads {@code [{"minScore": 90, "priorityClassName": "gpu-ultra"}, …]}.
     *
     * @throws IllegalArgumentException saying which entry is wrong
     */
    public static PriorityBuckets parse(String json) {
        try {
            if (JSON.readTree(json) instanceof ArrayNode list) {
                return parse(list);
            }
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("not JSON: " + malformed.getOriginalMessage(), malformed);
        }
        throw new IllegalArgumentException("not a list of {\"minScore\": …, \"priorityClassName\": …}");
    }

    private static PriorityBuckets parse(ArrayNode list) {
        var buckets = new ArrayList<Bucket>();
        for (int i = 0; i < list.size(); i++) {
            var score = list.get(i).path("minScore");
            var name = list.get(i).path("priorityClassName");
            if (!score.isNumber()) {
                throw new IllegalArgumentException("entry %d: minScore is not a number".formatted(i));
            }
            if (!name.isTextual() || name.textValue().isBlank()) {
                throw new IllegalArgumentException("entry %d: priorityClassName is not a name".formatted(i));
            }
            buckets.add(new Bucket(score.doubleValue(), name.textValue()));
        }
        return new PriorityBuckets(buckets);
    }

    /** The class of the highest bucket that the score reaches. */
    String of(double score) {
        for (var bucket : buckets) {
            if (score >= bucket.minScore()) {
                return bucket.priorityClassName();
            }
        }
        return LOWEST;
    }
}
