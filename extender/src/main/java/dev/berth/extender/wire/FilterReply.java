package dev.berth.extender.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers to a filter request. Nodes go back byte for byte as they came: the scheduler goes on with them. */
public final class FilterReply {
    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();

    private FilterReply() {}

    /** Why a node is not the one. */
    public record Failed(String node, String reason, boolean unresolvable) {}

    /** The pod is none of our business: every node will do. */
    public static byte[] all(FilterRequest request) {
        var out = new Text(request.body().length + 128);
        out.put("{\"Nodes\":");
        raw(out, request, request.nodes());
        out.put(",\"NodeNames\":");
        raw(out, request, request.byName() ? request.names() : Optional.empty());
        return out.put(",\"FailedNodes\":null,\"Error\":\"\"}").toByteArray();
    }

    private static void raw(Text out, FilterRequest request, Optional<FilterRequest.Range> range) {
        range.ifPresentOrElse(
                bytes -> out.write(request.body(), bytes.from(), bytes.to() - bytes.from()), () -> out.put("null"));
    }

    /** This node and no other, or none at all. */
    public static byte[] chosen(FilterRequest request, Optional<Candidate> chosen, List<Failed> failed) {
        var out = new Text(failed.size() * 128 + 16_384);
        if (request.byName()) {
            out.put("{\"Nodes\":null,\"NodeNames\":[");
            chosen.ifPresent(node -> out.quoted(node.name()));
            out.put("]");
        } else {
            out.put("{\"Nodes\":{\"metadata\":{},\"items\":[");
            chosen.flatMap(Candidate::described)
                    .ifPresent(node -> out.write(request.body(), node.from(), node.to() - node.from()));
            out.put("]},\"NodeNames\":null");
        }
        out.put(",\"FailedNodes\":");
        out.map(failed);
        var unresolvable = failed.stream().filter(Failed::unresolvable).toList();
        if (!unresolvable.isEmpty()) {
            out.put(",\"FailedAndUnresolvableNodes\":");
            out.map(unresolvable);
        }
        return out.put(",\"Error\":\"\"}").toByteArray();
    }

    /** No answer; the scheduler tries the pod again later. */
    public static byte[] error(String message) {
        return new Text(message.length() + 128)
                .put("{\"Nodes\":null,\"NodeNames\":null,\"FailedNodes\":null,\"Error\":")
                .quoted(wellFormed(message))
                .put("}")
                .toByteArray();
    }

    /** JSON can say half a character, which has no bytes in UTF-8: what is quoted from a request may hold one. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Bytes that become JSON; reasons that many nodes share are encoded once. */
    private static final class Text extends ByteArrayOutputStream {
        private final Map<String, byte[]> known = new HashMap<>();

        Text(int size) {
            super(size);
        }

        Text put(String plain) {
            writeBytes(plain.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        Text quoted(String text) {
            write('"');
            writeBytes(QUOTES.quoteAsUTF8(text));
            write('"');
            return this;
        }

        void map(List<Failed> failed) {
            write('{');
            boolean first = true;
            for (var each : failed) {
                if (!first) {
                    write(',');
                }
                first = false;
                quoted(each.node());
                write(':');
                write('"');
                writeBytes(known.computeIfAbsent(each.reason(), reason -> QUOTES.quoteAsUTF8(wellFormed(reason))));
                write('"');
            }
            write('}');
        }
    }
}
