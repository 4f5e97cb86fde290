package dev.berth.core;

import java.time.Instant;

/** One line of the ledger: this holder has this share of this device. */
public record Entry(DeviceId device, Holder holder, Share share, State state) {
    /** How sure the entry is. */
    public sealed interface State {
        State CONFIRMED = new Confirmed();

        /** Decided, and on its way into the cluster; void when the cluster does not show it by then. */
        record Assumed(Instant expires) implements State {}

        /** Seen in the cluster. */
        record Confirmed() implements State {}
    }

    public static Entry assumed(DeviceId device, Holder holder, Share share, Instant expires) {
        return new Entry(device, holder, share, new State.Assumed(expires));
    }

    public static Entry confirmed(DeviceId device, Holder holder, Share share) {
        return new Entry(device, holder, share, State.CONFIRMED);
    }

    /** The same holding under another name of its device. */
    public Entry of(DeviceId name) {
        return name.equals(device) ? this : new Entry(name, holder, share, state);
    }

    public boolean assumed() {
        return state instanceof State.Assumed;
    }

    public boolean expiredAt(Instant now) {
        return state instanceof State.Assumed(var expires) && !now.isBefore(expires);
    }

    /** Whether both are the same holding, whatever its state and share. */
    public boolean sameHolding(Entry other) {
        return device.equals(other.device) && holder.id().equals(other.holder.id());
    }
}
