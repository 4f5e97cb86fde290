package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Arrival;

/** The pods of the day, as YAML and in words. */
final class Pods {
    private static final int BLOCKS_A_TENTH = 4;
    private static final int TENTH = 10;

    private Pods() {}

    /** @param seconds how long a simulated node runs it */
    static String yaml(Arrival arrival, double seconds) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {%s}
                  annotations: {berth.dev/run-seconds: "%.3f"%s}
                spec:
                  restartPolicy: Never
                  schedulerName: %s
                  containers: [{name: main, image: example.com/demo, resources: {limits: {%s}}}]
                """.formatted(
                arrival.name(), labels(arrival), seconds, annotations(arrival), scheduler(arrival), limits(arrival));
    }

    private static String labels(Arrival arrival) {
        return switch (arrival.way()) {
            case ASSIGNER -> "fudo.org/gpu.%s: \"\"".formatted(arrival.model());
            case PLAIN, EXTENDER, ADVISOR, CLAIMS -> "";
        };
    }

    private static String annotations(Arrival arrival) {
        return switch (arrival.way()) {
            case ADVISOR -> ", app.kubernetes.io/job-type: train-bert";
            case CLAIMS ->
                ", devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"nvidia-%s\"}]}}'"
                        .formatted(arrival.model());
            case PLAIN, ASSIGNER, EXTENDER -> "";
        };
    }

    private static String scheduler(Arrival arrival) {
        return switch (arrival.way()) {
            case EXTENDER -> "gpu-admission-scheduler";
            case CLAIMS -> "berth";
            case PLAIN, ASSIGNER, ADVISOR -> "default-scheduler";
        };
    }

    private static String limits(Arrival arrival) {
        return switch (arrival.way()) {
            case PLAIN, ASSIGNER, ADVISOR -> "nvidia.com/gpu: %d".formatted(arrival.amount());
            case EXTENDER ->
                "tencent.com/vcuda-core: %d, tencent.com/vcuda-memory: %d"
                        .formatted(arrival.amount(), arrival.amount() / TENTH * BLOCKS_A_TENTH);
            case CLAIMS -> "";
        };
    }

    static String words(Arrival arrival) {
        return switch (arrival.way()) {
            case PLAIN -> "%d GPUs of any node".formatted(arrival.amount());
            case ASSIGNER -> "%d %s by label".formatted(arrival.amount(), arrival.model());
            case EXTENDER -> "%d %% of a GPU".formatted(arrival.amount());
            case ADVISOR -> "the GPU that suits its kind of job";
            case CLAIMS -> "a claim for one %s".formatted(arrival.model());
        };
    }
}
