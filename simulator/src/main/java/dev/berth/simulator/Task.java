package dev.berth.simulator;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.util.Optional;

/**
 * A pod of a trace.
 *
 * @param memory MiB
 * @param span when it was there, if the trace says so
 */
public record Task(String name, Parcel parcel, long memory, Optional<Span> span) {
    /** From creation to deletion, in seconds of the trace. */
    public record Span(long from, long to) {}

    /** Hundredths of a GPU, of all its GPUs together. */
    public long cores() {
        return parcel.slice().exclusive()
                ? parcel.slice().gpus() * Slice.WHOLE
                : parcel.slice().cores();
    }
}
