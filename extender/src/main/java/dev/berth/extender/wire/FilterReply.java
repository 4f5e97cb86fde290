package dev.berth.extender.wire;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers to a filter request. Nodes go back byte for byte as they came: the scheduler goes on with them. */
public final class FilterReply {
    private FilterReply() {}

    /** Why a node is not the one. */
    public record Failed(Candidate candidate, String reason, boolean unresolvable) {
        public String node() {
            return candidate.name();
        }
    }

    /** The pod is none of our business: every node will do. */
    public static byte[] all(FilterRequest request) {
        var out = new JsonText(request.body().length + 128).put("{\"Nodes\":");
        raw(out, request, request.nodes());
        out.put(",\"NodeNames\":");
        raw(out, request, request.byName() ? request.names() : Optional.empty());
        return out.put(",\"FailedNodes\":null,\"Error\":\"\"}").toByteArray();
    }

    private static void raw(JsonText out, FilterRequest request, Optional<FilterRequest.Range> range) {
        if (range.isPresent()) {
            out.put(request.body(), range.get().from(), range.get().length());
        } else {
            out.put("null");
        }
    }

    /** This node and no other, or none at all. */
    public static byte[] chosen(FilterRequest request, Optional<Candidate> chosen, List<Failed> failed) {
        var out = new JsonText(failed.size() * 128 + 16_384);
        if (request.byName()) {
            out.put("{\"Nodes\":null,\"NodeNames\":[");
            chosen.ifPresent(node -> out.put(node.quoted()));
            out.put("]");
        } else {
            out.put("{\"Nodes\":{\"metadata\":{},\"items\":[");
            chosen.flatMap(Candidate::described)
                    .ifPresent(node -> out.put(request.body(), node.from(), node.to() - node.from()));
            out.put("]},\"NodeNames\":null");
        }
        var reasons = new HashMap<String, byte[]>();
        map(out.put(",\"FailedNodes\":"), failed, reasons);
        var unresolvable = failed.stream().filter(Failed::unresolvable).toList();
        if (!unresolvable.isEmpty()) {
            map(out.put(",\"FailedAndUnresolvableNodes\":"), unresolvable, reasons);
        }
        return out.put(",\"Error\":\"\"}").toByteArray();
    }

    /** @param reasons as they are written: many nodes share one */
    private static void map(JsonText out, List<Failed> failed, Map<String, byte[]> reasons) {
        char before = '{';
        for (var each : failed) {
            out.put(before).put(each.candidate().quoted()).put(':');
            out.put(reasons.computeIfAbsent(
                    each.reason(),
                    reason -> new JsonText(128).quoted(wellFormed(reason)).toByteArray()));
            before = ',';
        }
        out.put(failed.isEmpty() ? "{}" : "}");
    }

    /** No answer; the scheduler tries the pod again later. */
    public static byte[] error(String message) {
        return new JsonText(message.length() + 128)
                .put("{\"Nodes\":null,\"NodeNames\":null,\"FailedNodes\":null,\"Error\":")
                .quoted(wellFormed(message))
                .put("}")
                .toByteArray();
    }

    /** JSON can say half a character, which has no bytes in UTF-8: what is quoted from a request may hold one. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
