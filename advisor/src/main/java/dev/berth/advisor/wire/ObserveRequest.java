package dev.berth.advisor.wire;

import dev.berth.advisor.model.Observation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code POST /v1/observe}: how long a job took. Three spellings of the run time are in use. */
public final class ObserveRequest {
    private static final List<String> SPELLINGS = List.of("measured_runtime_s", "actual_runtime", "runtime_seconds");
    private static final List<String> SUCCESS = List.of("succeeded", "success", "completed", "complete", "ok");

    private ObserveRequest() {}

    /** What there is to learn; nothing if the run failed. */
    public static Optional<Observation> read(byte[] bytes, boolean isJson) throws InvalidBodyException {
        var body = Body.of(bytes, isJson);
        var jobType = body.name("job_type");
        var gpuType = body.name("gpu_type");
        var spelling = SPELLINGS.stream().filter(body::has).findFirst().orElse(SPELLINGS.getFirst());
        var seconds = body.positive(spelling, Observation.MOST_SECONDS);
        var colocated = body.names("colocated_job_types");
        boolean failed = failed(body);
        body.check();
        return failed || seconds.isEmpty()
                ? Optional.empty()
                : Optional.of(new Observation(jobType, gpuType, seconds.getAsDouble(), colocated, run(body)));
    }

    /** Told twice under one name, it counts once. */
    private static Optional<String> run(Body body) {
        var name = body.field("job_id");
        return name.isTextual() && !name.textValue().isEmpty() && Names.isKept(name.textValue())
                ? Optional.of(name.textValue())
                : Optional.empty();
    }

    private static boolean failed(Body body) {
        var status = body.field("status");
        return !body.yesOrNo("success").orElse(true)
                || (status.isTextual() && !SUCCESS.contains(status.textValue().toLowerCase(Locale.ROOT)));
    }
}
