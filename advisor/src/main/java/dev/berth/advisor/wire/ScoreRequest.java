package dev.berth.advisor.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST /v1/score}: which GPU suits this job.
 *
 * @param memoryGib the GPU memory that the job needs; 0 if it does not say
 */
public record ScoreRequest(String jobType, List<String> candidates, List<String> colocated, double memoryGib) {

    /** A value that cannot be used, though the body has its shape: 400. */
    public static final class BadValueException extends Exception {
        private static final long serialVersionUID = 1;

        private final String problem;

        BadValueException(String problem) {
            super(problem, null, false, false);
            this.problem = problem;
        }

        public String problem() {
            return problem;
        }
    }

    public static ScoreRequest read(byte[] bytes, boolean isJson) throws InvalidBodyException, BadValueException {
        var usual = isJson ? UsualScore.read(bytes) : Optional.<ScoreRequest>empty();
        return usual.isPresent() ? usual.get() : readSlowly(bytes, isJson);
    }

    /** Finds all that is wrong. */
    private static ScoreRequest readSlowly(byte[] bytes, boolean isJson)
            throws InvalidBodyException, BadValueException {
        var body = Body.of(bytes, isJson);
        var jobType = body.text("job_type");
        var features = body.map("features");
        var candidates = body.texts("candidate_gpu_types", true);
        var colocated = body.texts("colocated_job_types", false);
        body.check();
        if (candidates.isEmpty()) {
            throw new BadValueException("No candidate GPU types provided");
        }
        double memory = decimal(features.path("gpu_mem_gb"), "gpu_mem_gb");
        decimal(features.path("model_params_m"), "model_params_m");
        whole(features.path("batch_size"));
        return new ScoreRequest(jobType, candidates, colocated, memory);
    }

    private static double decimal(JsonNode value, String name) throws BadValueException {
        if (value.isMissingNode()) {
            return 0;
        }
        if (value.isNumber()) {
            return value.doubleValue();
        }
        if (!value.isTextual()) {
            throw new BadValueException("features.%s must be a number, not %s".formatted(name, value));
        }
        return PythonNumber.read(value.textValue())
                .orElseThrow(() ->
                        new BadValueException("could not convert string to float: '%s'".formatted(value.textValue())));
    }

    private static void whole(JsonNode value) throws BadValueException {
        if (value.isMissingNode() || value.isNumber()) {
            return;
        }
        if (!value.isTextual()) {
            throw new BadValueException("features.batch_size must be a whole number, not " + value);
        }
        if (!PythonNumber.isWhole(value.textValue())) {
            throw new BadValueException("invalid literal for int() with base 10: '%s'".formatted(value.textValue()));
        }
    }
}
