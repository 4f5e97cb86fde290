package dev.berth.core.share;

import dev.berth.core.NodeName;
import java.util.Arrays;

/** What is left of each GPU of one node. Immutable. */
public final class GpuNode {
    private final NodeName name;
    private final GpuCapacity capacity;
    private final Host host;
    private final long[] cores;
    private final long[] memory;
    private final long freeCores;
    private final long freeMemory;

    private GpuNode(NodeName name, GpuCapacity capacity, Host host, long[] cores, long[] memory) {
        this.name = name;
        this.capacity = capacity;
        this.host = host;
        this.cores = cores;
        this.memory = memory;
        long coresLeft = 0;
        long memoryUsed = 0;
        for (int device = 0; device < cores.length; device++) {
            coresLeft += cores[device];
            memoryUsed += capacity.deviceMemory() - memory[device];
        }
        this.freeCores = coresLeft;
        // What does not divide evenly over the devices belongs to the node all the same, in the published order.
        this.freeMemory = capacity.memory() - memoryUsed;
    }

    public static GpuNode empty(NodeName name, GpuCapacity capacity) {
        var cores = new long[capacity.devices()];
        var memory = new long[capacity.devices()];
        Arrays.fill(cores, Slice.WHOLE);
        Arrays.fill(memory, capacity.deviceMemory());
        return new GpuNode(name, capacity, Host.UNKNOWN, cores, memory);
    }

    /** With so many cores left of each GPU; for nodes of which nobody counts the GPUs' memory. */
    public static GpuNode withCores(NodeName name, Host host, long[] coresLeft) {
        var capacity = new GpuCapacity((long) Slice.WHOLE * coresLeft.length, 0);
        return new GpuNode(name, capacity, host, coresLeft.clone(), new long[coresLeft.length]);
    }

    /** The same GPUs, and this of the rest of the node. */
    public GpuNode on(Host other) {
        return new GpuNode(name, capacity, other, cores, memory);
    }

    public Host host() {
        return host;
    }

    public NodeName name() {
        return name;
    }

    public GpuCapacity capacity() {
        return capacity;
    }

    public int devices() {
        return cores.length;
    }

    public long freeCores() {
        return freeCores;
    }

    public long freeMemory() {
        return freeMemory;
    }

    public long freeCores(int device) {
        return cores[device];
    }

    public long freeMemory(int device) {
        return memory[device];
    }

    public boolean untouched(int device) {
        return cores[device] == Slice.WHOLE && memory[device] == capacity.deviceMemory();
    }

    public int untouched() {
        int count = 0;
        for (int device = 0; device < cores.length; device++) {
            count += untouched(device) ? 1 : 0;
        }
        return count;
    }

    /** Whether the device alone has room for this: for a slice that wants GPUs for itself, whether it is untouched. */
    public boolean fits(int device, Slice slice) {
        return slice.exclusive()
                ? untouched(device)
                : cores[device] >= slice.cores() && memory[device] >= slice.memory();
    }

    /** Whether as much is left of one device as of another. */
    boolean alike(int device, int other) {
        return cores[device] == cores[other] && memory[device] == memory[other];
    }

    /** With the first so many untouched devices given away whole. */
    GpuNode chargedWhole(int gpus) {
        var coresLeft = cores.clone();
        var memoryLeft = memory.clone();
        int wanted = gpus;
        for (int device = 0; device < cores.length && wanted > 0; device++) {
            if (untouched(device)) {
                coresLeft[device] = 0;
                memoryLeft[device] = 0;
                wanted--;
            }
        }
        return new GpuNode(name, capacity, host, coresLeft, memoryLeft);
    }

    /** With this charged. Who holds more than there is leaves nothing, and takes nothing from others. */
    public GpuNode charged(int device, Held held) {
        var coresLeft = cores.clone();
        var memoryLeft = memory.clone();
        coresLeft[device] = held.whole() ? 0 : Math.max(0, cores[device] - held.cores());
        memoryLeft[device] = held.whole() ? 0 : Math.max(0, memory[device] - held.memory());
        return new GpuNode(name, capacity, host, coresLeft, memoryLeft);
    }

    /** With a slice charged to this device, and that left of the rest of the node. */
    GpuNode charged(int device, Slice slice, Host rest) {
        return charged(device, slice.exclusive() ? Held.WHOLE : Held.part(slice))
                .on(rest);
    }

    /**
     * With this charged to devices that nobody has named: those that are fullest and still have room, as an agent on
     * the node would choose; what finds no room there takes what is left of the emptiest.
     */
    public GpuNode chargedSomewhere(Slice slice) {
        var node = this;
        if (slice.exclusive()) {
            for (long gpu = 0; gpu < Math.min(slice.gpus(), devices()); gpu++) {
                node = node.chargedSomewhere(slice, Held.WHOLE);
            }
            return node;
        }
        return slice.cores() == 0 && slice.memory() == 0 ? node : node.chargedSomewhere(slice, Held.part(slice));
    }

    private GpuNode chargedSomewhere(Slice slice, Held held) {
        int best = -1;
        int emptiest = -1;
        for (int device = 0; device < cores.length; device++) {
            if (fits(device, slice) && (best < 0 || cores[device] < cores[best])) {
                best = device;
            }
            if (emptiest < 0 || cores[device] > cores[emptiest]) {
                emptiest = device;
            }
        }
        int device = best >= 0 ? best : emptiest;
        return device < 0 ? this : charged(device, held);
    }

    @Override
    public String toString() {
        return "%s cores=%s memory=%s".formatted(name, Arrays.toString(cores), Arrays.toString(memory));
    }
}
