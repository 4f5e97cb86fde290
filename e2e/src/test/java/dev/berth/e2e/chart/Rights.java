package dev.berth.e2e.chart;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** What a ServiceAccount may do, as the API server says when it is asked. */
final class Rights {
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    private final KubernetesClient client;
    private final String account;

    Rights(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.account = "system:serviceaccount:%s:%s".formatted(namespace, name);
    }

    /**
     * A line for each of the resources with which it may do anything, such as {@code pods get,list}.
     *
     * @param resources written {@code resource/subresource.group}, the way kubectl does
     */
    List<String> in(String namespace, List<String> resources) {
        List<String> lines = new ArrayList<>();
        for (var resource : resources) {
            var allowed = VERBS.stream()
                    .filter(verb -> may(verb, resource, namespace))
                    .toList();
            if (!allowed.isEmpty()) lines.add(resource + " " + String.join(",", allowed));
        }
        return lines;
    }

    private boolean may(String verb, String written, String namespace) {
        int dot = written.indexOf('.');
        var group = dot < 0 ? "" : written.substring(dot + 1);
        var parts = (dot < 0 ? written : written.substring(0, dot)).split("/");
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(account)
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(parts[0])
                        .withSubresource(parts.length > 1 ? parts[1] : "")
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }
}
