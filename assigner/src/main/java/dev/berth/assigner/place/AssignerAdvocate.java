package dev.berth.assigner.place;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.AssignerSettings;
import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.HeldGpus;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.core.explain.Objections;
import dev.berth.core.verdict.Verdict;
import dev.berth.kube.explain.Advocate;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Says which GPUs the assigner would reserve for a pod if it were created now. */
public final class AssignerAdvocate implements Advocate {
    private final Lookout lookout;
    private final Gpus gpus = new Gpus((_, _) -> {});
    private final Reservations reservations;
    private final HeldGpus held;
    private final Choices choices;

    public AssignerAdvocate(Lookout lookout, AssignerSettings settings) {
        this.lookout = lookout;
        this.reservations = new Reservations(
                lookout.cluster(), settings.claimsNamespace(), lookout.cluster().clock());
        this.held = new HeldGpus(lookout.cluster(), gpus, reservations, lookout.pods(), lookout::written);
        this.choices = new Choices(gpus, lookout.rooms(), settings.policy());
        lookout.nodes().onChange(gpus::heard);
        reservations.onChange(_ -> lookout.changed());
    }

    @Override
    public Door door() {
        return Door.ASSIGNER;
    }

    @Override
    public void start() {
        reservations.start();
    }

    @Override
    public boolean synced() {
        return reservations.synced();
    }

    @Override
    public List<Device> devices(NodeName node) {
        return gpus.inventory().devices(node);
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return held.shown(node);
    }

    @Override
    public boolean takes(Pod pod) {
        return request(pod).optedIn();
    }

    private PodRequest request(Pod pod) {
        var tree = lookout.cluster().serialization().convertValue(pod, ObjectNode.class);
        return PodRequest.of(tree, "default");
    }

    @Override
    public String asks(Pod pod) {
        var request = request(pod);
        return "%d %s%s"
                .formatted(
                        request.devices(),
                        request.devices() == 1 ? "GPU" : "GPUs",
                        request.labels().isEmpty() ? "" : " labelled " + String.join(", ", request.labels()));
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        return answer(pod, (request, needs) -> choices.choose(request, needs, ledger));
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        if (gpus.inventory().shelf(node).isEmpty()) {
            return new Answer.Waits(Map.of(
                    node,
                    Objection.unsuited(
                            "no GPUs for the assigner", "it has no readable annotation that names its GPUs", "")));
        }
        return answer(pod, (request, needs) -> choices.chooseOn(node, request, needs, ledger));
    }

    private Answer answer(Pod pod, BiFunction<PodRequest, PodNeeds, Verdict> asked) {
        try {
            return Objections.of(asked.apply(request(pod), PodNeeds.of(pod)), NodeObjections::of);
        } catch (IllegalArgumentException malformed) {
            return new Answer.Unusable(String.valueOf(malformed.getMessage()));
        }
    }

    @Override
    public void close() {
        reservations.close();
    }
}
