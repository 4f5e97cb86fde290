package dev.berth.core.move;

import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Host;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Which pod is where, and what is left of each node: to be changed and changed back. Not for several threads. */
public final class Layout {
    private final List<Site> sites;
    private final List<Tenant> tenants = new ArrayList<>();
    private final List<Spot> spots = new ArrayList<>();
    private final List<List<Integer>> guests = new ArrayList<>();
    private final long[][] cores;
    private final long[][] memory;
    private final long[][] rest;

    public Layout(List<Site> sites) {
        this.sites = List.copyOf(sites);
        int nodes = sites.size();
        this.cores = new long[nodes][];
        this.memory = new long[nodes][];
        this.rest = new long[nodes][];
        for (int node = 0; node < nodes; node++) {
            var site = sites.get(node);
            cores[node] = new long[site.gpus().devices()];
            memory[node] = new long[site.gpus().devices()];
            rest[node] = new long[site.rest().size()];
            Arrays.fill(cores[node], Slice.WHOLE);
            Arrays.fill(memory[node], site.gpus().deviceMemory());
            for (int place = 0; place < rest[node].length; place++) {
                rest[node][place] = site.rest().at(place);
            }
            guests.add(new ArrayList<>());
        }
    }

    public Layout(Layout other) {
        this(other.sites);
        for (int tenant = 0; tenant < other.tenants.size(); tenant++) {
            add(other.tenants.get(tenant), other.spots.get(tenant));
        }
    }

    /** The pod is there, whether or not there is room. Its number is returned. */
    public int add(Tenant tenant, Spot spot) {
        int number = tenants.size();
        tenants.add(tenant);
        spots.add(Spot.NOWHERE);
        if (spot.somewhere()) {
            put(number, spot);
        }
        return number;
    }

    public List<Site> sites() {
        return sites;
    }

    public int tenants() {
        return tenants.size();
    }

    public Tenant tenant(int number) {
        return tenants.get(number);
    }

    public Spot spot(int tenant) {
        return spots.get(tenant);
    }

    /** Who is on a node, by rising number; changes with it. */
    public List<Integer> guests(int node) {
        return Collections.unmodifiableList(guests.get(node));
    }

    /** The pod goes to a place; it must have none. */
    public void put(int tenant, Spot spot) {
        charge(tenants.get(tenant).need(), spot, 1);
        spots.set(tenant, spot);
        var there = guests.get(spot.node());
        there.add(-1 - Collections.binarySearch(there, tenant), tenant);
    }

    /** The pod leaves its place, which is returned. */
    public Spot lift(int tenant) {
        var spot = spots.get(tenant);
        charge(tenants.get(tenant).need(), spot, -1);
        spots.set(tenant, Spot.NOWHERE);
        guests.get(spot.node()).remove((Object) tenant);
        return spot;
    }

    private void charge(Need need, Spot spot, int sign) {
        int node = spot.node();
        for (int place = 0; place < rest[node].length; place++) {
            rest[node][place] -= sign * need.rest().at(place);
        }
        for (int index = 0; index < need.slices().size(); index++) {
            var slice = need.slices().get(index);
            for (int device : spot.devices().get(index)) {
                cores[node][device] -= sign * cores(slice);
                memory[node][device] -= sign * memory(node, slice);
            }
        }
    }

    private static long cores(Slice slice) {
        return slice.exclusive() ? Slice.WHOLE : slice.cores();
    }

    private long memory(int node, Slice slice) {
        return slice.exclusive() ? sites.get(node).gpus().deviceMemory() : slice.memory();
    }

    /** Whether a node suits a pod and has room for it. */
    public boolean fits(Need need, int node) {
        if (!need.suits().contains(node) || !hasRest(need, node)) {
            return false;
        }
        return switch (need.slices().size()) {
            case 0 -> true;
            case 1 -> fits(need.slices().getFirst(), node);
            default -> !spots(need, node).isEmpty();
        };
    }

    private boolean hasRest(Need need, int node) {
        for (int place = 0; place < rest[node].length; place++) {
            long wanted = need.rest().at(place);
            // Who asks for none of what a node has too little of is not in its way.
            if (wanted > 0 && rest[node][place] < wanted) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Slice slice, int node) {
        long wanted = slice.exclusive() ? slice.gpus() : 1;
        for (int device = 0; device < cores[node].length && wanted > 0; device++) {
            wanted -= hasRoom(node, device, slice) ? 1 : 0;
        }
        return wanted <= 0;
    }

    private boolean hasRoom(int node, int device, Slice slice) {
        return cores[node][device] >= cores(slice) && memory[node][device] >= memory(node, slice);
    }

    /** Whether a pod has room on exactly these GPUs. */
    public boolean fits(Need need, Spot spot) {
        int node = spot.node();
        if (!need.suits().contains(node) || !hasRest(need, node)) {
            return false;
        }
        charge(need, spot, 1);
        boolean fits = true;
        for (int device : spot.gpus()) {
            fits &= cores[node][device] >= 0 && memory[node][device] >= 0;
        }
        charge(need, spot, -1);
        return fits;
    }

    /** The places for a pod on a node; of GPUs with as much left the first one stands for all. */
    public List<Spot> spots(Need need, int node) {
        if (!need.suits().contains(node) || !hasRest(need, node)) {
            return List.of();
        }
        var found = new ArrayList<Spot>();
        gather(need, node, new ArrayList<>(), found);
        return found;
    }

    private void gather(Need need, int node, List<List<Integer>> chosen, List<Spot> found) {
        if (chosen.size() == need.slices().size()) {
            found.add(new Spot(node, chosen));
            return;
        }
        var slice = need.slices().get(chosen.size());
        for (var devices : slice.exclusive() ? free(node, slice) : distinct(node, slice)) {
            devices.forEach(device -> take(node, device, slice, 1));
            chosen.add(devices);
            gather(need, node, chosen, found);
            chosen.removeLast();
            devices.forEach(device -> take(node, device, slice, -1));
        }
    }

    private void take(int node, int device, Slice slice, int sign) {
        cores[node][device] -= sign * cores(slice);
        memory[node][device] -= sign * memory(node, slice);
    }

    /** Untouched GPUs are alike: the first ones do. */
    private List<List<Integer>> free(int node, Slice slice) {
        var devices = new ArrayList<Integer>();
        for (int device = 0; device < cores[node].length && devices.size() < slice.gpus(); device++) {
            if (hasRoom(node, device, slice)) {
                devices.add(device);
            }
        }
        return devices.size() < slice.gpus() ? List.of() : List.of(List.copyOf(devices));
    }

    private List<List<Integer>> distinct(int node, Slice slice) {
        var devices = new ArrayList<List<Integer>>();
        for (int device = 0; device < cores[node].length; device++) {
            if (hasRoom(node, device, slice) && !likeOneBefore(node, device)) {
                devices.add(List.of(device));
            }
        }
        return devices;
    }

    private boolean likeOneBefore(int node, int device) {
        for (int before = 0; before < device; before++) {
            if (cores[node][before] == cores[node][device] && memory[node][before] == memory[node][device]) {
                return true;
            }
        }
        return false;
    }

    /** What somebody says of a node while such a pod is on it as well. */
    double with(Need need, Spot spot, IntToDoubleFunction says) {
        charge(need, spot, 1);
        double said = says.applyAsDouble(spot.node());
        charge(need, spot, -1);
        return said;
    }

    /** What is left of a node, as policies see it. */
    public GpuNode state(int node) {
        var site = sites.get(node);
        var left = cores[node].clone();
        for (int device = 0; device < left.length; device++) {
            left[device] = Math.max(0, left[device]);
        }
        var host = new Host(site.model(), Math.max(0, rest[node][0]), 0, 0);
        return GpuNode.withCores(site.name(), host, left);
    }

    /** Hundredths of a GPU that are free on one device. */
    public long free(int node, int device) {
        return cores[node][device];
    }

    /** How much of something besides GPUs is left on a node. */
    public long left(int node, int place) {
        return rest[node][place];
    }

    /** Hundredths of GPUs that are given out. */
    public long taken() {
        long taken = 0;
        for (var devices : cores) {
            for (long left : devices) {
                taken += Slice.WHOLE - Math.max(0, left);
            }
        }
        return taken;
    }
}
