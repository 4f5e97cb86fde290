package dev.berth.bench.door;

import dev.berth.bench.PodBody;
import java.nio.charset.StandardCharsets;

/** Questions as the API server puts them to the assigner: a training job's pod of 2 KB that wants one GPU. */
public final class Reviews {
    private Reviews() {}

    public static byte[] of(String uid, String pod) {
        return of(uid, pod, pod(pod));
    }

    public static byte[] of(String uid, String name, String pod) {
        return """
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"%s",\
                "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},\
                "requestKind":{"group":"","version":"v1","kind":"Pod"},"requestResource":{"group":"","version":"v1","resource":"pods"},\
                "name":"%s","namespace":"race","operation":"CREATE","userInfo":{"username":"somebody","groups":["system:authenticated"]},\
                "object":%s,"oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}}}""".formatted(uid, name, pod).getBytes(StandardCharsets.UTF_8);
    }

    public static String pod(String name) {
        return new String(PodBody.of(name), StandardCharsets.UTF_8)
                .replace("\"labels\":{", "\"labels\":{\"fudo.org/gpu.a100\":\"true\",");
    }
}
