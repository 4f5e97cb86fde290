package dev.berth.core.verdict;

import dev.berth.core.Counter;
import dev.berth.core.DeviceId;
import dev.berth.core.Holder;
import dev.berth.core.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Why a node will not do. {@link Words} makes sentences of it. */
public sealed interface Reason {
    /** The node itself will not do, whatever its devices. */
    record Unfit(String sentence) implements Reason {}

    /** The node has no device at all. */
    record NoDevices() implements Reason {}

    /** An ask finds too few devices, even if it had the node for itself. */
    record TooFew(String ask, int wanted, Tally tally) implements Reason {}

    /** An ask for all devices that suit finds one that it cannot have. */
    record NotAll(String ask, Tally tally) implements Reason {}

    /** An ask finds devices, but they have too little together. */
    record TooLittle(String ask, String capacity, Quantity wanted, Quantity left) implements Reason {}

    /** No set of devices agrees in an attribute; {@code best} is the most that do, with the value {@code value}. */
    record NoneAgree(String attribute, int wanted, int best, String value) implements Reason {}

    /** Too few values of an attribute for devices that must all differ in it. */
    record NoneDiffer(String attribute, int wanted, int values) implements Reason {}

    /** More devices than may be given at once. */
    record TooMany(int wanted, int limit) implements Reason {}

    /** The devices draw more from what they share than is left. */
    record Overdrawn(Counter counter, Quantity wanted, Quantity left) implements Reason {}

    /** Each ask can be met alone, and not all of them at once. */
    record NotTogether(List<String> asks) implements Reason {
        public NotTogether {
            asks = List.copyOf(asks);
        }
    }

    /** Time ran out before it was known. */
    record Deadline(Duration allowed) implements Reason {}

    /**
     * What became of the devices that an ask looked at.
     *
     * @param unsuitable an example of why one does not suit
     * @param holders some of those who hold what is taken
     */
    record Tally(
            int looked,
            int unsuited,
            Optional<Example> unsuitable,
            int tainted,
            int taken,
            List<Holder> holders,
            int tooSmall,
            int free) {
        public Tally {
            holders = List.copyOf(holders);
        }
    }

    /** A device and what speaks against it. */
    record Example(DeviceId device, String why) {}
}
