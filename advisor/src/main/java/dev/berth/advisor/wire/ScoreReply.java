package dev.berth.advisor.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.berth.advisor.model.Advice;
import java.nio.charset.StandardCharsets;

/** The answer to a question, its fields in the published order. */
public final class ScoreReply {
    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();

    private ScoreReply() {}

    public static byte[] of(Advice advice) {
        var text = new StringBuilder(512);
        text.append("{\"priority_score\":").append(PythonNumber.text(advice.priority()));
        text.append(",\"gpu_selector\":{\"nodeSelector\":{\"gpu.nvidia.com/class\":");
        quoted(text, advice.chosen());
        text.append(
                "},\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}]}");
        text.append(",\"avoid_co_locate_with\":[");
        for (int i = 0; i < advice.avoid().size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            quoted(text, advice.avoid().get(i));
        }
        var terms = advice.terms();
        text.append("],\"terms\":{\"mu\":").append(PythonNumber.text(terms.mu()));
        text.append(",\"sigma\":").append(PythonNumber.text(terms.sigma()));
        text.append(",\"ig\":").append(PythonNumber.text(terms.ig()));
        text.append(",\"penalty\":").append(PythonNumber.text(terms.penalty()));
        text.append(",\"cost\":").append(PythonNumber.text(terms.cost()));
        text.append(",\"chosen_gpu\":");
        quoted(text, advice.chosen());
        return text.append("}}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void quoted(StringBuilder text, String plain) {
        text.append('"').append(QUOTES.quoteAsString(plain)).append('"');
    }
}
