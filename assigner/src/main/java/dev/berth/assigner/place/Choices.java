package dev.berth.assigner.place;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.device.Labelled;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Demand;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Verdict;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.fit.PodNeeds;
import java.time.Duration;

/** Which GPUs a pod gets: its request as the engine's question. Nothing is written here. */
public final class Choices {
    private static final String ASK = "gpus";
    private static final Duration SEARCH = Duration.ofSeconds(2);

    private final Gpus gpus;
    private final NodeRooms rooms;
    private final Policy policy;
    private final Allocator allocator = new Allocator();

    public Choices(Gpus gpus, NodeRooms rooms, Policy policy) {
        this.gpus = gpus;
        this.rooms = rooms;
        this.policy = policy;
    }

    public Verdict choose(PodRequest asked, PodNeeds needs, Ledger ledger) {
        return allocator.place(gpus.inventory(), ledger, demand(asked, needs), policy, Deadline.within(SEARCH));
    }

    /** The same if there were no other node. */
    Verdict chooseOn(NodeName node, PodRequest asked, PodNeeds needs, Ledger ledger) {
        return Allocator.placeOn(node, gpus.inventory(), ledger, demand(asked, needs), policy, Deadline.within(SEARCH));
    }

    private Demand demand(PodRequest asked, PodNeeds needs) {
        return Demand.of(asked.pod(), Ask.of(ASK, asked.devices(), new Labelled(asked.labels())))
                .onlyOn(new Fitness(needs, rooms));
    }
}
