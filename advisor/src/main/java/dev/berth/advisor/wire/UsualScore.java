package dev.berth.advisor.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a usual question in one pass, without a tree. What is in any way unusual is left to the slow way,
 * which can say what is wrong.
 */
final class UsualScore {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final JsonParser parser;
    private @Nullable String jobType;
    private List<String> candidates = List.of();
    private List<String> colocated = List.of();
    private double memory;

    private UsualScore(JsonParser parser) {
        this.parser = parser;
    }

    /** Thrown on the way out of the pass. */
    private static final class UnusualException extends IOException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static Optional<ScoreRequest> read(byte[] bytes) {
        try (var parser = JSON.createParser(bytes)) {
            return Optional.of(new UsualScore(parser).request());
        } catch (IOException unusual) {
            return Optional.empty();
        }
    }

    private ScoreRequest request() throws IOException {
        expect(parser.nextToken() == JsonToken.START_OBJECT);
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            field(name);
        }
        expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
        expect(!candidates.isEmpty());
        if (jobType == null) throw new UnusualException();
        return new ScoreRequest(jobType, candidates, colocated, memory);
    }

    private static void expect(boolean usual) throws UnusualException {
        if (!usual) throw new UnusualException();
    }

    private void field(String name) throws IOException {
        var token = parser.nextToken();
        switch (name) {
            case "job_type" -> {
                expect(token == JsonToken.VALUE_STRING);
                jobType = parser.getText();
            }
            case "candidate_gpu_types" -> candidates = texts(token);
            case "colocated_job_types" -> colocated = texts(token);
            case "features" -> features(token);
            default -> parser.skipChildren();
        }
    }

    private List<String> texts(JsonToken token) throws IOException {
        expect(token == JsonToken.START_ARRAY);
        List<String> texts = new ArrayList<>();
        for (var next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            expect(next == JsonToken.VALUE_STRING);
            texts.add(parser.getText());
        }
        return texts;
    }

    private void features(JsonToken token) throws IOException {
        expect(token == JsonToken.START_OBJECT);
        memory = 0;
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            var value = parser.nextToken();
            switch (name) {
                case "gpu_mem_gb" -> {
                    expect(value.isNumeric());
                    memory = parser.getDoubleValue();
                }
                case "model_params_m", "batch_size" -> expect(value.isNumeric());
                default -> parser.skipChildren();
            }
        }
    }
}
