package dev.berth.simulator;

/** Why a pod waits. */
public enum Why {
    NO_GPU_LEFT("fewer GPUs are free than it asks for"),
    FRAGMENTS("enough is free in all, but in pieces too small"),
    NO_CPU("GPUs are free where CPU or memory is not"),
    OTHER_MODEL("GPUs are free, of models that it does not take"),
    NOTHING_LEFT("no node has that much CPU or memory left");

    private final String words;

    Why(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
