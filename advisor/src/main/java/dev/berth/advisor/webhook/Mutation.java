package dev.berth.advisor.webhook;

import dev.berth.advisor.ask.Job;
import dev.berth.advisor.ask.NoAdviceException;
import dev.berth.advisor.ask.Recommendation;
import dev.berth.advisor.ask.Scorer;
import dev.berth.advisor.cluster.GpuTypes;
import dev.berth.advisor.cluster.GpuTypes.Candidates;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.cluster.Surroundings;
import dev.berth.web.admission.AdmissionReply;
import dev.berth.web.admission.AdmissionRequest;
import dev.berth.web.admission.AdmissionRequest.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a request through the webhook, from top to bottom. Whatever goes wrong, the pod is let through. */
final class Mutation {
    private static final Logger LOG = LoggerFactory.getLogger(Mutation.class);
    private static final String TENANT_UNSAID = "default";
    /** What the way back to the API server may take. */
    private static final Duration RESERVE = Duration.ofMillis(500);

    private final WebhookSettings settings;
    private final Scorer scorer;
    private final Surroundings surroundings;
    private final Unadvised unadvised;
    private final MutationMetrics metrics;
    private final InstantSource clock;

    Mutation(
            WebhookSettings settings,
            Scorer scorer,
            Surroundings surroundings,
            Unadvised unadvised,
            MutationMetrics metrics,
            InstantSource clock) {
        this.settings = settings;
        this.scorer = scorer;
        this.surroundings = surroundings;
        this.unadvised = unadvised;
        this.metrics = metrics;
        this.clock = clock;
    }

    AdmissionReply answer(AdmissionRequest request, Optional<Duration> within) {
        try {
            return Subject.of(request)
                    .filter(subject -> concernsUs(request, subject))
                    .map(subject -> advise(request, subject, within))
                    .orElseGet(AdmissionReply::allow);
        } catch (RuntimeException bug) {
            LOG.error("review failed and is let through: object={}/{}", request.namespace(), request.name(), bug);
            return AdmissionReply.allow();
        }
    }

    /** Pods cannot be changed later, and what has its advice keeps it. */
    private boolean concernsUs(AdmissionRequest request, Subject subject) {
        return settings.enabled()
                && request.operation() == Operation.CREATE
                && request.subResource().isEmpty()
                && subject.jobType().isPresent()
                && !subject.decided()
                && subject.wantsGpu();
    }

    private AdmissionReply advise(AdmissionRequest request, Subject subject, Optional<Duration> within) {
        if (request.dryRun()) {
            return AdmissionReply.allow("dry-run: no mutation");
        }
        var types = surroundings.gpuTypes();
        var candidates = candidates(subject, types);
        var warnings = new ArrayList<String>();
        var job = new Job(
                subject.jobType().orElseThrow(),
                Wishes.memory(subject, warnings),
                Wishes.batchSize(subject, warnings),
                subject.annotation(Keys.TENANT).orElse(TENANT_UNSAID),
                candidates.types(),
                surroundings.runningJobs());
        try {
            var advice = metrics.timed(() -> scorer.score(job, patience(within)));
            return patch(subject, job, advice, types, candidates).withWarnings(warnings);
        } catch (NoAdviceException none) {
            return letThrough(subject, none).withWarnings(warnings);
        }
    }

    private Candidates candidates(Subject subject, GpuTypes types) {
        return Wishes.nodes(subject.spec(), settings.override()).map(types::on).orElseGet(types::any);
    }

    private Duration patience(Optional<Duration> within) {
        return within.map(all -> all.minus(RESERVE))
                .filter(left -> left.compareTo(settings.timeout()) < 0)
                .orElse(settings.timeout());
    }

    private AdmissionReply patch(
            Subject subject, Job job, Recommendation advice, GpuTypes types, Candidates candidates) {
        // The patch changes the pod as it grows, so what the user chose is asked first.
        var gpu = ownGpu(subject).orElse(advice.chosen());
        var patch = new AdvicePatch(subject);
        var priorityClass = settings.buckets().of(advice.score());
        if (takesClass(subject, priorityClass)) {
            patch.priorityClass(priorityClass);
        }
        patch.nodeSelector(selector(subject, advice, types, candidates), settings.override())
                .tolerations(advice.tolerations())
                .antiAffinity(advice.avoid())
                .annotations(advice, gpu, job.type(), clock.instant().getEpochSecond())
                .label(job.type())
                .limits();
        LOG.info("Mutated {} job-type={} score={} gpu={}", subject.words(), job.type(), advice.scoreText(), gpu);
        metrics.mutated(subject.kind(), priorityClass);
        return AdmissionReply.patch(patch.patch());
    }

    /** A class that the user named stays; one that does not exist would have the pod refused. */
    private boolean takesClass(Subject subject, String name) {
        var own = subject.spec().path("priorityClassName").asText("");
        boolean free = own.isEmpty() || settings.override() || isFilledIn(subject, own);
        if (free && !surroundings.hasPriorityClass(name)) {
            LOG.warn("priority class={} does not exist and is not set: {}", name, subject.words());
            return false;
        }
        return free && !own.equals(name);
    }

    /** Pods that name no class come with the cluster's default one; in a template only the user can have written it. */
    private boolean isFilledIn(Subject subject, String name) {
        return !subject.place().template() && surroundings.isDefaultPriorityClass(name);
    }

    /** The type of GPU under the label by which this cluster's nodes carry it; none that no node has. */
    private Map<String, String> selector(
            Subject subject, Recommendation advice, GpuTypes types, Candidates candidates) {
        var selector = new LinkedHashMap<>(advice.selector());
        var type = selector.remove(Keys.GPU_CLASS);
        if (type == null || ownGpu(subject).isPresent()) {
            return selector;
        }
        var label = types.labelOf(type).filter(_ -> candidates.selectable());
        if (label.isEmpty()) {
            LOG.warn("gpu={} is on no node that would do and is not selected: {}", type, subject.words());
            return selector;
        }
        selector.putFirst(label.get(), type);
        return selector;
    }

    /** The type of GPU that the user chose. */
    private Optional<String> ownGpu(Subject subject) {
        var selector = subject.spec().path("nodeSelector");
        return settings.override()
                ? Optional.empty()
                : Keys.GPU_LABELS.stream()
                        .map(key -> selector.path(key).asText(""))
                        .filter(type -> !type.isEmpty())
                        .findFirst();
    }

    /** Without advice; but a request that lacks its limit is mended, because the pod would not be let in at all. */
    private AdmissionReply letThrough(Subject subject, NoAdviceException none) {
        LOG.warn("Scheduler unavailable: {} goes on without advice: {}", subject.words(), none.words());
        metrics.unadvised(none.why());
        unadvised.tell(subject, none.words());
        return AdmissionReply.patch(new AdvicePatch(subject).limits().patch());
    }
}
