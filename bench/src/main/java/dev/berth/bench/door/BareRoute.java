package dev.berth.bench.door;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The yardstick: a Helidon route that reads a question with Jackson, and writes an answer of the same size with it. */
public final class BareRoute {
    private static final JsonMapper JSON = new JsonMapper();

    record Question(
            String job_type,
            Map<String, Object> features,
            List<String> candidate_gpu_types,
            List<String> colocated_job_types) {}

    record Answer(
            double priority_score,
            Map<String, Object> gpu_selector,
            List<String> avoid_co_locate_with,
            Map<String, Object> terms) {}

    private BareRoute() {}

    /** Arguments: the port. */
    public static void main(String[] arguments) {
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(arguments[0]))
                .routing(routes -> routes.post("/v1/score", (request, response) -> {
                            var question = JSON.readValue(request.content().as(byte[].class), Question.class);
                            response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
                            response.send(answer(question));
                        })
                        .get("/readyz", (_, response) -> response.send("ok")))
                .build()
                .start();
    }

    private static byte[] answer(Question question) throws IOException {
        var gpu = question.candidate_gpu_types().getFirst();
        return JSON.writeValueAsBytes(new Answer(
                50,
                Map.of(
                        "nodeSelector",
                        Map.of("gpu.nvidia.com/class", gpu),
                        "tolerations",
                        List.of(Map.of("key", "nvidia.com/gpu", "operator", "Exists", "effect", "NoSchedule"))),
                List.of(),
                Map.of("mu", 10.0, "sigma", 5.0, "ig", 2.56, "penalty", 0.0, "cost", 9.7, "chosen_gpu", gpu)));
    }
}
