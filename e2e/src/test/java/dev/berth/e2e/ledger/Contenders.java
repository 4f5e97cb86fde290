package dev.berth.e2e.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The doors that can promise a card, each as a process. */
final class Contenders {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NO_CARD = 429;
    private static final Duration START = Duration.ofSeconds(150);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private Contenders() {}

    private static Path log(DuelGround ground, String name) {
        return E2eFolder.target("ledger/%s-%s-%s.log".formatted(ground.cluster.name(), ground.id(), name));
    }

    private static String post(int port, String path, String body) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                                .header("Content-Type", "application/json")
                                .timeout(Duration.ofSeconds(60))
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void awaitReady(int port, GuardedProcess process) {
        Await.until(
                START,
                () -> {
                    try {
                        return HTTP.send(
                                                HttpRequest.newBuilder(URI.create(
                                                                "http://127.0.0.1:%d/readyz".formatted(port)))
                                                        .timeout(Duration.ofSeconds(5))
                                                        .build(),
                                                HttpResponse.BodyHandlers.discarding())
                                        .statusCode()
                                == 200;
                    } catch (IOException notYet) {
                        return false;
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                        return false;
                    }
                },
                () -> "not ready: " + process.lastWords());
    }

    /** One that is asked over HTTP, and answers at once. */
    private abstract static class Asked implements Contender {
        private final Duration late;
        private final GuardedProcess process;
        private final Map<String, Boolean> answers = new ConcurrentHashMap<>();
        final DuelGround ground;
        final int port;

        Asked(DuelGround ground, Duration late, int port, GuardedProcess process) {
            this.ground = ground;
            this.late = late;
            this.port = port;
            this.process = process;
            awaitReady(port, process);
        }

        void answered(String pod, boolean promised) {
            answers.put(pod, promised);
        }

        /** The schedulers hear of their pods as late as that. */
        @Override
        public Duration after() {
            return late;
        }

        @Override
        public boolean decided(String pod, Map<String, Pod> pods) {
            return answers.containsKey(pod);
        }

        @Override
        public boolean promised(String pod, Map<String, Pod> pods) {
            return Boolean.TRUE.equals(answers.get(pod));
        }

        @Override
        public void close() {
            process.close();
        }
    }

    /** One that watches for pods and binds them. */
    private abstract static class Watching implements Contender {
        private final GuardedProcess process;
        final DuelGround ground;

        Watching(DuelGround ground, GuardedProcess process) {
            this.ground = ground;
            this.process = process;
        }

        @Override
        public Duration after() {
            return Duration.ZERO;
        }

        @Override
        public boolean decided(String name, Map<String, Pod> pods) {
            var pod = pods.get(name);
            return pod != null && (DuelGround.bound(pod) || DuelGround.refused(pod));
        }

        @Override
        public boolean promised(String name, Map<String, Pod> pods) {
            var pod = pods.get(name);
            return pod != null && DuelGround.bound(pod);
        }

        @Override
        public void close() {
            process.close();
        }
    }

    static Contender assigner(DuelGround ground, Path kubeconfig, Duration late) {
        int port = Ports.free();
        var process = BerthProcess.start(
                log(ground, "assigner"),
                "listening",
                "assigner",
                "--kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1",
                "--insecure-http",
                "--port=" + port,
                "--ui-port=" + Ports.free(),
                "--claims-namespace=" + ground.leases(),
                "--log-level=info");
        return new Asked(ground, late, port, process) {
            @Override
            public String name() {
                return "assigner";
            }

            @Override
            public void ask(String pod, String node) throws IOException, InterruptedException {
                var object = JSON.readTree("""
                        {"apiVersion":"v1","kind":"Pod",
                         "metadata":{"name":"%s","namespace":"%s","labels":{"%s":"true"}},
                         "spec":{"schedulerName":"nobody-%s","containers":[{"name":"main","image":"none"}]}}""".formatted(pod, ground.work(), ground.label(node), ground.id()));
                var review = JSON.createObjectNode()
                        .put("apiVersion", "admission.k8s.io/v1")
                        .put("kind", "AdmissionReview");
                review.putObject("request")
                        .put("uid", pod)
                        .put("namespace", ground.work())
                        .set("object", object);
                var response = mutate(review);
                boolean promised = response.path("allowed").asBoolean() && response.has("patch");
                if (promised) {
                    // As the API server would: a proposal for which no pod comes runs out.
                    var patch = JSON.readTree(response.path("patch").binaryValue());
                    ground.create(JsonPatch.apply(patch, object).toString());
                }
                answered(pod, promised);
            }

            // Who is refused for another reason than that there is no card, such as time, is created again.
            private JsonNode mutate(JsonNode review) throws IOException, InterruptedException {
                JsonNode response;
                do {
                    response = JSON.readTree(post(port, "/mutate?timeout=30s", review.toString()))
                            .path("response");
                } while (!response.path("allowed").asBoolean()
                        && response.at("/status/code").asInt() != NO_CARD);
                return response;
            }
        };
    }

    static Contender extender(DuelGround ground, Path kubeconfig, Duration late) {
        int port = Ports.free();
        var process = BerthProcess.start(
                log(ground, "extender"),
                "listening",
                "extender",
                "--kubeconfig=" + kubeconfig,
                "--address=127.0.0.1:" + port,
                "--pprofAddress=127.0.0.1:0",
                "--v=2");
        return new Asked(ground, late, port, process) {
            @Override
            public String name() {
                return "extender";
            }

            @Override
            public void ask(String name, String node) throws IOException, InterruptedException {
                var pod = ground.create(name, "nobody-" + ground.id(), limits("tencent.com/vcuda-core", 100));
                var request = JSON.createObjectNode();
                request.set("Pod", JSON.valueToTree(pod));
                request.putNull("Nodes");
                request.putArray("NodeNames").add(node);
                JsonNode reply = predicates(request);
                boolean promised = reply.path("NodeNames").path(0).asText().equals(node);
                if (promised) {
                    bind(pod, node);
                }
                answered(name, promised);
            }

            // As kube-scheduler: who got no answer in time, which is an error and not a no, is asked about again.
            private JsonNode predicates(JsonNode request) throws IOException, InterruptedException {
                JsonNode reply;
                do {
                    reply = JSON.readTree(post(port, "/scheduler/predicates", request.toString()));
                } while (!reply.path("Error").asText().isEmpty());
                return reply;
            }

            private void bind(Pod pod, String node) {
                ground.client.raw(
                        "/api/v1/namespaces/%s/pods/%s/binding"
                                .formatted(ground.work(), pod.getMetadata().getName()),
                        "POST",
                        new BindingBuilder()
                                .withNewMetadata()
                                .withName(pod.getMetadata().getName())
                                .endMetadata()
                                .withNewTarget()
                                .withKind("Node")
                                .withName(node)
                                .endTarget()
                                .build());
            }
        };
    }

    private static UnaryOperator<PodBuilder> limits(String resource, int amount) {
        return pod -> pod.editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToLimits(resource, new Quantity(Integer.toString(amount)))
                .endResources()
                .endContainer()
                .endSpec();
    }

    static Contender pinner(DuelGround ground, Path kubeconfig) {
        var scheduler = "pinner-" + ground.id();
        var process = BerthProcess.start(
                log(ground, "pinner"),
                "places pods: scheduler=" + scheduler,
                "pinner",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--name=" + scheduler,
                "--bind-address=127.0.0.1",
                "--health-port=0");
        return new Watching(ground, process) {
            @Override
            public String name() {
                return "pinner";
            }

            @Override
            public void ask(String pod, String node) {
                ground.create(
                        pod,
                        scheduler,
                        made -> made.editMetadata()
                                .addToAnnotations("gpu-scheduling-map", "0=%s:0".formatted(node))
                                .addToLabels("apps.kubernetes.io/pod-index", "0")
                                .endMetadata());
            }
        };
    }

    private static GuardedProcess claimsScheduler(DuelGround ground, Path kubeconfig, String name) {
        return BerthProcess.start(
                log(ground, name),
                "places pods: scheduler=%s-%s".formatted(name, ground.id()),
                "claims",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--scheduler-name=%s-%s".formatted(name, ground.id()),
                "--lease-namespace=" + ground.leases(),
                "--bind-address=127.0.0.1",
                "--port=0");
    }

    /** For pods with claims of {@code resource.k8s.io}: a process of its own beside the prototype's. */
    static Contender dra(DuelGround ground, Path kubeconfig) {
        return new Watching(ground, claimsScheduler(ground, kubeconfig, "dra")) {
            @Override
            public String name() {
                return "dra";
            }

            @Override
            public void ask(String pod, String node) {
                ground.claim(pod, node);
                ground.create(
                        pod,
                        "dra-" + ground.id(),
                        made -> made.editSpec()
                                .addNewResourceClaim()
                                .withName("gpu")
                                .withResourceClaimName(pod)
                                .endResourceClaim()
                                .endSpec());
            }
        };
    }

    static Contender claims(DuelGround ground, Path kubeconfig) {
        return new Watching(ground, claimsScheduler(ground, kubeconfig, "claims")) {
            @Override
            public String name() {
                return "claims";
            }

            @Override
            public void ask(String pod, String node) {
                ground.create(
                        pod,
                        "claims-" + ground.id(),
                        made -> made.editMetadata()
                                .addToAnnotations(
                                        "devmgmtproto.k8s.io/device-claims",
                                        "{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"%s\"}]}}"
                                                .formatted(node))
                                .endMetadata());
            }
        };
    }

    /** The scheduler of {@code berth up}, for pods that ask for a number of GPUs. */
    static Contender counting(DuelGround ground, Path kubeconfig) {
        var process = BerthProcess.start(
                log(ground, "scheduler"),
                "Ctrl-C",
                "up",
                "--kubeconfig=" + kubeconfig,
                "--doors=scheduler",
                "--default-scheduler");
        return new Watching(ground, process) {
            @Override
            public String name() {
                return "scheduler";
            }

            @Override
            public void ask(String pod, String node) {
                ground.create(
                        pod,
                        "default-scheduler",
                        made -> limits("nvidia.com/gpu", 1)
                                .apply(made)
                                .editSpec()
                                .withNodeSelector(Map.of("duel", node))
                                .endSpec());
            }
        };
    }
}
