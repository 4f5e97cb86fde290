package dev.berth.bench;

import java.nio.charset.StandardCharsets;

/** The pod that every run creates: about 2 KB of JSON, as a training job's pod looks. Only the name differs. */
public final class PodBody {
    private static final String NAME = "@name@";
    private static final String TEMPLATE = template();
    private static final byte[] HEAD = bytes(TEMPLATE.substring(0, TEMPLATE.indexOf(NAME)));
    private static final byte[] TAIL = bytes(TEMPLATE.substring(TEMPLATE.indexOf(NAME) + NAME.length()));

    private PodBody() {}

    public static byte[] of(String name) {
        byte[] own = bytes(name);
        byte[] body = new byte[HEAD.length + own.length + TAIL.length];
        System.arraycopy(HEAD, 0, body, 0, HEAD.length);
        System.arraycopy(own, 0, body, HEAD.length, own.length);
        System.arraycopy(TAIL, 0, body, HEAD.length + own.length, TAIL.length);
        return body;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String template() {
        var variables = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            variables
                    .append(i == 0 ? "" : ",")
                    .append("{\"name\":\"SETTING_%02d\",\"value\":\"value-of-setting-number-%02d\"}".formatted(i, i));
        }
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"race","labels":{"app":"trainer","team":"vision",\
                "job":"resnet-50-epoch-90","tier":"batch"},"annotations":{"berth.dev/note":"made by the benchmark, of no other use",\
                "example.com/owner":"somebody@example.com"}},"spec":{"restartPolicy":"Never","schedulerName":"nobody",\
                "nodeSelector":{"accelerator":"a100","zone":"one"},"containers":[{"name":"trainer","image":"registry.example.com/vision/trainer:1.4.2",\
                "command":["python","-m","trainer.main"],"args":["--data=/data","--epochs=90","--batch=256"],"env":[%s],\
                "ports":[{"containerPort":8080,"name":"metrics","protocol":"TCP"}],\
                "resources":{"requests":{"cpu":"4","memory":"16Gi","nvidia.com/gpu":"1"},"limits":{"cpu":"8","memory":"32Gi","nvidia.com/gpu":"1"}},\
                "volumeMounts":[{"name":"data","mountPath":"/data"},{"name":"scratch","mountPath":"/scratch"}],\
                "livenessProbe":{"httpGet":{"path":"/healthz","port":8080},"periodSeconds":30,"initialDelaySeconds":10}}],\
                "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data"}},{"name":"scratch","emptyDir":{"sizeLimit":"10Gi"}}],\
                "tolerations":[{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"}],"terminationGracePeriodSeconds":30}}""".formatted(NAME, variables);
    }
}
