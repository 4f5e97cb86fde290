package dev.berth.core.share;

import dev.berth.core.policy.Policy.Rank;

/**
 * Takes the node whose free CPU and GPU point least in the direction of what is asked for, as Tetris weighs them
 * (Grandl et al., SIGCOMM 2014, in the form of Weng et al.); on it the device that has least left.
 */
public record ShareDotProduct() implements SharePolicy {
    @Override
    public String name() {
        return "dot-product";
    }

    @Override
    public Rank device(GpuNode node, int device, Slice slice, Host rest) {
        return new Rank(node.freeCores(device), node.freeMemory(device));
    }

    @Override
    public Rank node(GpuNode before, GpuNode after) {
        double cpu = before.host().cpu() / ShareBestFit.MOST_CPU;
        double cores = before.freeCores() / ShareBestFit.MOST_CORES;
        double cpuAsked = (before.host().cpu() - after.host().cpu()) / ShareBestFit.MOST_CPU;
        double coresAsked = (before.freeCores() - after.freeCores()) / ShareBestFit.MOST_CORES;
        return new Rank(-(int) (100 * (1 - (cpu * cpuAsked + cores * coresAsked) / 2)), 0);
    }

    @Override
    public boolean looksAhead() {
        return true;
    }
}
