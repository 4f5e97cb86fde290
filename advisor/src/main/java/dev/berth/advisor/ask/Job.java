package dev.berth.advisor.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A job that wants a GPU, as the agent is asked about it.
 *
 * @param memoryGib the GPU memory it says it needs
 * @param candidates the types of GPU it may get, the first of equally good ones is taken
 * @param colocated the types of the jobs that run
 */
public record Job(
        String type,
        OptionalDouble memoryGib,
        OptionalLong batchSize,
        String tenant,
        List<String> candidates,
        List<String> colocated) {
    private static final JsonFactory JSON = new JsonFactory();

    public Job {
        candidates = List.copyOf(candidates);
        colocated = List.copyOf(colocated);
    }

    /** The body of {@code POST /v1/score}, its keys in the published order. */
    byte[] json() {
        var bytes = new ByteArrayOutputStream(256);
        try (var json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("job_type", type);
            json.writeObjectFieldStart("features");
            json.writeStringField("job_type", type);
            if (memoryGib.isPresent()) {
                json.writeNumberField("gpu_mem_gb", memoryGib.getAsDouble());
            }
            if (batchSize.isPresent()) {
                json.writeNumberField("batch_size", batchSize.getAsLong());
            }
            json.writeStringField("tenant", tenant);
            json.writeEndObject();
            list(json, "candidate_gpu_types", candidates);
            list(json, "colocated_job_types", colocated);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void list(JsonGenerator json, String name, List<String> words) throws IOException {
        json.writeArrayFieldStart(name);
        for (var word : words) {
            json.writeString(word);
        }
        json.writeEndArray();
    }
}
