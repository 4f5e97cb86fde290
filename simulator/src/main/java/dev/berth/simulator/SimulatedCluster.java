package dev.berth.simulator;

import dev.berth.core.NodeName;
import dev.berth.core.share.Fragments;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Host;
import dev.berth.core.share.Parcel;
import dev.berth.core.share.SharePolicy;
import dev.berth.core.share.ShareSearch;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A cluster in memory that places pods as the extender does. Nodes in the same state are looked at once, and what a
 * policy says of a state is kept until the state is gone: a decision costs a look at each state, not at each node, and
 * work only for states that are new. Among equals the node that comes first wins.
 */
public final class SimulatedCluster {
    /** Policies look at states, not at names. */
    private static final NodeName NAMELESS = new NodeName("node");

    private final List<Machine> machines;
    private final SharePolicy policy;
    private final RandomGenerator lots;
    private final Map<Parcel, Ranks> ranks = new HashMap<>();
    private final States states;

    private final long[][] cards;
    private final long[] cpu;
    private final long[] memory;
    private final int[][] guests;
    private long taken;

    /**
     * @param machines in the order that breaks ties
     * @param lots for a policy that draws lots
     */
    public SimulatedCluster(List<Machine> machines, SharePolicy policy, RandomGenerator lots) {
        this.machines = List.copyOf(machines);
        this.policy = policy;
        this.lots = lots;
        int nodes = machines.size();
        this.cards = new long[nodes][];
        this.cpu = new long[nodes];
        this.memory = new long[nodes];
        this.guests = new int[nodes][];
        this.states = new States(nodes);
        for (int node = 0; node < nodes; node++) {
            var machine = machines.get(node);
            cards[node] = new long[machine.gpus()];
            Arrays.fill(cards[node], Slice.WHOLE);
            cpu[node] = machine.cpu();
            memory[node] = machine.memory();
            guests[node] = new int[Integer.SIZE];
            states.put(node, state(node));
        }
    }

    /** Places the pod, if there is room. */
    public Optional<Seat> place(Task task) {
        int state = policy.drawsLots() ? drawn(task) : best(task);
        if (state < 0) {
            return Optional.empty();
        }
        int node = policy.drawsLots() ? states.any(state, lots) : states.first(state);
        var before = states.at(state);
        var after = after(before, task.parcel(), policy).orElseThrow();
        return Optional.of(seat(task, node, before, after));
    }

    /** The state with the lowest rank, or -1. */
    private int best(Task task) {
        var known = ranks.computeIfAbsent(task.parcel(), _ -> new Ranks(machines.size()));
        int best = -1;
        for (int state = 0; state < states.size(); state++) {
            if (states.memory(state) >= task.memory()) {
                rank(state, known, task.parcel());
                if (known.before(state, best)
                        || (known.equal(state, best) && states.first(state) < states.first(best))) {
                    best = state;
                }
            }
        }
        return best;
    }

    private void rank(int state, Ranks known, Parcel parcel) {
        if (known.current(state, states.version(state))) {
            return;
        }
        var before = states.at(state);
        var after = after(before, parcel, policy);
        if (after.isPresent()) {
            known.keep(state, states.version(state), policy.node(before, after.get()));
        } else {
            known.refuse(state, states.version(state));
        }
    }

    /** A state, so that each node with room is as likely as any other. */
    private int drawn(Task task) {
        var open = new int[states.size()];
        int choices = 0;
        int nodes = 0;
        for (int state = 0; state < states.size(); state++) {
            if (states.memory(state) >= task.memory()
                    && after(states.at(state), task.parcel(), policy).isPresent()) {
                open[choices++] = state;
                nodes += states.nodes(state);
            }
        }
        if (nodes == 0) {
            return -1;
        }
        int lot = lots.nextInt(nodes);
        int choice = 0;
        while (lot >= states.nodes(open[choice])) {
            lot -= states.nodes(open[choice++]);
        }
        return open[choice];
    }

    /** The node with the parcel on it, its memory apart. */
    private static Optional<GpuNode> after(GpuNode node, Parcel parcel, SharePolicy policy) {
        var host = node.host();
        if (host.cpu() < parcel.cpu()
                || node.freeCores() < parcel.slice().cores()
                || (parcel.slice().cores() > 0 && !parcel.suits(host.model()))) {
            return Optional.empty();
        }
        return ShareSearch.charged(
                node,
                parcel.slice(),
                host.charged(parcel.cpu(), 0, parcel.slice().cores()),
                policy);
    }

    private Seat seat(Task task, int node, GpuNode before, GpuNode after) {
        var devices = new ArrayList<Integer>();
        for (int device = 0; device < before.devices(); device++) {
            long left = before.freeCores(device);
            long held = left - after.freeCores(device);
            if (held > 0) {
                int card = cardWith(left, cards[node]);
                cards[node][card] -= held;
                devices.add(card);
            }
        }
        var seat = new Seat(node, task, List.copyOf(devices));
        charge(seat, 1);
        return seat;
    }

    private static int cardWith(long left, long[] cards) {
        int card = 0;
        while (cards[card] != left) {
            card++;
        }
        return card;
    }

    /** The pod is there now, as somebody else decided. */
    public void settle(Seat seat) {
        for (int device : seat.devices()) {
            cards[seat.node()][device] -= seat.task().cores() / seat.devices().size();
        }
        charge(seat, 1);
    }

    /** The pod is gone. */
    public void remove(Seat seat) {
        for (int device : seat.devices()) {
            cards[seat.node()][device] += seat.task().cores() / seat.devices().size();
        }
        charge(seat, -1);
    }

    private void charge(Seat seat, int sign) {
        var task = seat.task();
        int node = seat.node();
        cpu[node] -= sign * task.parcel().cpu();
        memory[node] -= sign * task.memory();
        taken += sign * task.cores();
        int kind = Host.kind(task.cores());
        if (kind != 0) {
            guests[node][Integer.numberOfTrailingZeros(kind)] += sign;
        }
        states.put(node, state(node));
    }

    /** Its GPUs by what is left of them, so that nodes that differ in the order alone are alike. */
    private GpuNode state(int node) {
        var sorted = cards[node].clone();
        Arrays.sort(sorted);
        int kinds = 0;
        for (int kind = 0; kind < guests[node].length; kind++) {
            kinds |= guests[node][kind] > 0 ? 1 << kind : 0;
        }
        var host = new Host(machines.get(node).model(), cpu[node], memory[node], kinds);
        return GpuNode.withCores(NAMELESS, host, sorted);
    }

    /** What the policy believes has changed: nothing that it said holds any longer. */
    public void forget() {
        ranks.clear();
    }

    /** Hundredths of a GPU that are given out. */
    public long taken() {
        return taken;
    }

    /** Hundredths of a GPU that are given out on this node. */
    public long taken(int node) {
        long left = 0;
        for (long card : cards[node]) {
            left += card;
        }
        return (long) cards[node].length * Slice.WHOLE - left;
    }

    public List<Machine> machines() {
        return machines;
    }

    /** How many different states its nodes are in. */
    public int distinct() {
        return states.distinct();
    }

    /** Hundredths of a GPU that are free and of no use to a workload. */
    public double fragments(Fragments workload) {
        double all = 0;
        for (int state = 0; state < states.size(); state++) {
            if (states.nodes(state) > 0) {
                all += states.nodes(state) * workload.of(states.at(state));
            }
        }
        return all;
    }

    /** Why there is no room for this pod. */
    public Why why(Task task) {
        var parcel = task.parcel();
        if (parcel.slice().cores() == 0) {
            return Why.NOTHING_LEFT;
        }
        boolean roomOnGpus = false;
        boolean roomOnOthers = false;
        long free = 0;
        for (int state = 0; state < states.size(); state++) {
            if (states.nodes(state) == 0) {
                continue;
            }
            var node = states.at(state);
            boolean gpus = hasGpus(node, parcel.slice());
            if (parcel.suits(node.host().model())) {
                roomOnGpus |= gpus;
                free += node.freeCores() * states.nodes(state);
            } else {
                roomOnOthers |=
                        gpus && node.host().cpu() >= parcel.cpu() && node.host().memory() >= task.memory();
            }
        }
        if (roomOnGpus) {
            return Why.NO_CPU;
        }
        if (roomOnOthers) {
            return Why.OTHER_MODEL;
        }
        return free >= task.cores() ? Why.FRAGMENTS : Why.NO_GPU_LEFT;
    }

    private static boolean hasGpus(GpuNode node, Slice slice) {
        int usable = 0;
        for (int device = 0; device < node.devices(); device++) {
            usable += node.fits(device, slice) ? 1 : 0;
        }
        return usable >= (slice.exclusive() ? slice.gpus() : 1);
    }
}
