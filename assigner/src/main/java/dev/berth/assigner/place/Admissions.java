package dev.berth.assigner.place;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.wire.Assignment;
import dev.berth.assigner.wire.AssignmentPatch;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.core.verdict.Words;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.web.admission.AdmissionReply;
import dev.berth.web.admission.AdmissionRequest;
import dev.berth.web.admission.AdmissionRequest.Operation;
import dev.berth.web.admission.MalformedReviewException;
import io.fabric8.kubernetes.api.model.Pod;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a request: what a pod asks for, whether it was answered before, the GPUs, the patch. */
public final class Admissions {
    private static final Logger LOG = LoggerFactory.getLogger(Admissions.class);

    private final Answers answers;
    private final Placer placer;
    private final AssignmentPatch patch;
    private final ObjectMapper json;
    private final Duration patience;
    private final PlacementMetrics metrics;

    Admissions(
            Answers answers,
            Placer placer,
            AssignmentPatch patch,
            ObjectMapper json,
            Duration patience,
            PlacementMetrics metrics) {
        this.answers = answers;
        this.placer = placer;
        this.patch = patch;
        this.json = json;
        this.patience = patience;
        this.metrics = metrics;
    }

    /** @param within how long the API server waits; an answer after that would reserve GPUs for nobody */
    public AdmissionReply admit(AdmissionRequest request, Optional<Duration> within) {
        if (request.dryRun()) {
            return AdmissionReply.allow("dry-run: no mutation");
        }
        if (!createsPod(request)) {
            return AdmissionReply.allow();
        }
        var pod = request.object().orElseGet(JsonNodeFactory.instance::objectNode);
        var asked = PodRequest.of(pod, request.namespace());
        if (!asked.concernsGpus()) {
            return AdmissionReply.allow();
        }
        if (!asked.optedIn()) {
            return AdmissionReply.deny(
                    403,
                    "pod %s requests nvidia.com/gpu resources but specifies no fudo.org/gpu.* labels; add the appropriate labels to declare GPU requirements"
                            .formatted(asked.pod()));
        }
        var own = pod.path("metadata").path("uid").asText("");
        var reservation = own.isEmpty() ? request.uid() : own;
        PodNeeds needs;
        try {
            needs = needs(pod, asked, reservation);
        } catch (RuntimeException malformed) {
            // Webhooks run before the API server validates: a wrong operator in an affinity comes as far as this.
            return AdmissionReply.deny(400, "pod %s cannot be read: %s".formatted(asked.pod(), words(malformed)));
        }
        return reply(
                asked,
                pod,
                reserve(
                        reservation,
                        asked,
                        pod,
                        needs,
                        within.map(Admissions::less).orElse(patience)));
    }

    /** What is not said in words is an empty place, or one thing where Kubernetes has another. */
    private static String words(RuntimeException malformed) {
        return malformed instanceof IllegalArgumentException && malformed.getMessage() != null
                ? malformed.getMessage().lines().findFirst().orElse("")
                : "a part of it is null, or of another kind than Kubernetes has there";
    }

    /** A body that is no review gets a review for an answer; one that is not even JSON does not. */
    public static AdmissionReply malformed(MalformedReviewException problem) {
        if (!problem.isJson()) {
            throw new HttpException(problem.problem(), Status.BAD_REQUEST_400, true);
        }
        return problem.kind().equals(Optional.of("AdmissionReview"))
                ? AdmissionReply.deny(400, problem.problem())
                : AdmissionReply.deny(
                        400, "Unexpected request kind: " + problem.kind().orElse("null"));
    }

    /** Pods that are changed, and what hangs on a pod, were admitted when the pod was created. */
    private static boolean createsPod(AdmissionRequest request) {
        var kind = request.kind().kind();
        return request.operation() == Operation.CREATE
                && request.subResource().isEmpty()
                && (kind.isEmpty() || kind.equals("Pod"));
    }

    private Outcome reserve(String reservation, PodRequest asked, ObjectNode pod, PodNeeds needs, Duration time) {
        var again = answers.reinvoked(asked, Assignment.of(pod));
        if (again.isPresent()) {
            return new Outcome.Reserved(again.get());
        }
        return answers.of(reservation, asked, time, left -> {
            long start = System.nanoTime();
            var outcome = placer.place(asked, needs, reservation, left);
            metrics.decided(outcome, System.nanoTime() - start);
            return outcome;
        });
    }

    /** The reply must also travel. */
    private static Duration less(Duration within) {
        return within.minus(within.dividedBy(10));
    }

    /** The pod as a node sees it. It has no uid yet, so that the reservation stands for it. */
    private PodNeeds needs(ObjectNode pod, PodRequest asked, String reservation) {
        var known = json.createObjectNode();
        known.setAll(pod);
        if (pod.get("metadata") instanceof ObjectNode metadata) {
            known.set("metadata", metadata.deepCopy());
        }
        known.withObject("/metadata").put("uid", reservation).put("namespace", asked.namespace());
        known.withObject("/spec");
        try {
            return PodNeeds.of(json.treeToValue(known, Pod.class));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(malformed.getMessage(), malformed);
        }
    }

    private AdmissionReply reply(PodRequest asked, ObjectNode pod, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Reserved(var assignment) -> {
                LOG.info(
                        "reserved: pod={} node={} uuids={} reservation={}",
                        asked.pod(),
                        assignment.node(),
                        assignment.uuids(),
                        assignment.reservation());
                yield AdmissionReply.patch(patch.of(pod, assignment));
            }
            case Outcome.NothingFree(var refusal) -> {
                LOG.info("refused: pod={} labels={} reason={}", asked.pod(), asked.labels(), Words.of(refusal));
                yield AdmissionReply.deny(
                        429,
                        "no %d-GPU set with requested labels free for pod %s".formatted(asked.count(), asked.pod()));
            }
            case Outcome.Undecided(var why) -> {
                LOG.warn("not decided: pod={} reason={}", asked.pod(), why);
                yield AdmissionReply.deny(
                        500, "no GPU could be reserved for pod %s, try again: %s".formatted(asked.pod(), why));
            }
        };
    }
}
