package dev.berth.pinner.scheduler;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.core.explain.Objections;
import dev.berth.kube.explain.Advocate;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says where a replica's map would send it, and who stands in its way there. */
public final class PinnerAdvocate implements Advocate {
    private final Lookout lookout;
    private final Plans plans;
    private final PinnedPods held;

    public PinnerAdvocate(Lookout lookout, String schedulerName) {
        this.lookout = lookout;
        this.plans = new Plans(
                new NodeNames(
                        label -> lookout.nodes().all().stream()
                                .filter(node -> NodeNames.label(node).contains(label))
                                .toList(),
                        name -> lookout.nodes().find("", name)),
                lookout.rooms()::find);
        this.held = new PinnedPods(
                lookout.cluster(),
                schedulerName,
                lookout.pods(),
                plans,
                this::node,
                lookout.pods()::synced,
                lookout::written);
    }

    private Optional<Node> node(NodeName name) {
        return lookout.nodes().find("", name.value());
    }

    @Override
    public Door door() {
        return Door.PINNER;
    }

    @Override
    public List<Device> devices(NodeName name) {
        return Device.numbered(
                name,
                node(name).map(NodeGpus::of).orElse(NodeGpus.UNSAID).count().orElse(0));
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return held.shown(node);
    }

    @Override
    public boolean takes(Pod pod) {
        return plans.map(pod).isPresent();
    }

    @Override
    public String asks(Pod pod) {
        return plans.entry(pod)
                .map(entry -> "GPU %s on %s, by its map".formatted(entry.devices(), entry.node()))
                .orElse("what its map says");
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        var replica = withUid(pod);
        return switch (plans.plan(replica)) {
            case Plans.Plan.Wait(var note, var _) -> waits(replica, note);
            case Plans.Plan.Go(var pin) -> go(pin, ledger);
        };
    }

    /** The ledger tells holders apart by uid, which only a server gives. */
    private static Pod withUid(Pod pod) {
        return pod.getMetadata().getUid() != null
                ? pod
                : new PodBuilder(pod)
                        .editOrNewMetadata()
                        .withUid("asked-" + pod.getMetadata().getName())
                        .endMetadata()
                        .build();
    }

    /** A map that cannot be followed is wrong; one whose node has no room waits for that node. */
    private Answer waits(Pod pod, String note) {
        var named = plans.entry(pod).flatMap(plans::node);
        if (named.isEmpty()) {
            return new Answer.Unusable(note);
        }
        var words = note.substring(note.indexOf(": ") + 2);
        return elsewhere(named.get(), NodeObjections.of(named.get(), words));
    }

    private Answer go(Pin pin, Ledger ledger) {
        var taken = PinWay.take(ledger.of(pin.node()), List.of(pin), Instant.MAX, false);
        if (taken.answer().get(pin.uid()) instanceof Outcome.Refused(var note, var _)) {
            var holders = pin.devices().stream()
                    .flatMap(device -> ledger.of(pin.node()).of(device).stream())
                    .map(Entry::holder)
                    .filter(holder -> !holder.id().equals(pin.uid()))
                    .distinct()
                    .toList();
            int missing = (int) pin.devices().stream()
                    .filter(device -> !ledger.of(pin.node()).free(device))
                    .count();
            return elsewhere(
                    pin.node(), Objection.taken("taken", note, missing, Objections.free(pin.node(), missing, holders)));
        }
        return new Answer.Fits(
                pin.node(), pin.devices().stream().map(DeviceId::value).toList(), pin.why(), Map.of());
    }

    /** Only one node is asked for; about the others nothing else is to be said. */
    private Answer elsewhere(NodeName asked, Objection objection) {
        Map<NodeName, Objection> objections = new HashMap<>();
        for (var node : lookout.nodes().all()) {
            var name = new NodeName(node.getMetadata().getName());
            objections.put(name, name.equals(asked) ? objection : notNamed(asked));
        }
        return new Answer.Waits(objections);
    }

    private static Objection notNamed(NodeName asked) {
        return Objection.unsuited(
                "not the node in the pod's map",
                "%s sends the pod to %s".formatted(Keys.MAP, asked),
                "change the line of the map");
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        return switch (answer(pod, ledger)) {
            case Answer.Fits fits
            when !fits.node().equals(node) -> new Answer.Waits(Map.of(node, notNamed(fits.node())));
            case Answer other -> other;
        };
    }
}
