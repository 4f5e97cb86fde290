package dev.berth.core.allocate;

import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Capacity from several devices together: what each can give, and how the total is shared out among them. */
final class Gathering {
    private static final Quantity ONE = Quantity.of(1);

    private final Board board;

    Gathering(Board board) {
        this.board = board;
    }

    /** What the choice would take of a device to begin with; nothing when it cannot have it. */
    Optional<Share> share(int slot, Choice choice) {
        return choice.count() instanceof Count.Together together
                ? least(slot, choice, together)
                : board.share(slot, choice);
    }

    /** What a device gives to begin with: the least that each must give, if it can give some of what is gathered. */
    private Optional<Share> least(int slot, Choice choice, Count.Together together) {
        var given = parts(slot, choice) ? zeroed(choice, together) : choice;
        boolean useful = together.amounts().isEmpty()
                || together.amounts().keySet().stream()
                        .anyMatch(name -> most(slot, name, choice).compareTo(Quantity.ZERO) > 0);
        return useful ? board.share(slot, given) : Optional.empty();
    }

    /** A capacity that is gathered is taken later, so that at first nothing of it is. */
    private static Choice zeroed(Choice choice, Count.Together together) {
        var amounts = new TreeMap<String, Quantity>();
        together.amounts().keySet().forEach(name -> amounts.put(name, Quantity.ZERO));
        if (choice.draw() instanceof Draw.AtLeast(var least)) {
            amounts.putAll(least);
        }
        return choice.drawing(new Draw.AtLeast(amounts));
    }

    private boolean parts(int slot, Choice choice) {
        return choice.draw() instanceof Draw.AtLeast
                && board.slots().get(slot).device().shareable();
    }

    private Quantity most(int slot, String name, Choice choice) {
        var capacity = board.capacity(slot, name);
        return parts(slot, choice) && !choice.admin() ? capacity.usable(board.leftOf(slot, name)) : capacity.amount();
    }

    /** Whether so many of the candidates can have enough at all, were the largest of them chosen. */
    boolean enough(int[] candidates, int devices, Choice choice, Count.Together together) {
        return together.amounts().entrySet().stream()
                .allMatch(wanted ->
                        most(candidates, devices, choice, wanted.getKey()).compareTo(wanted.getValue()) >= 0);
    }

    /** The most of a capacity that so many of the candidates have together. */
    Quantity most(int[] candidates, int devices, Choice choice, String name) {
        return Arrays.stream(candidates)
                .mapToObj(slot -> most(slot, name, choice))
                .sorted(Comparator.reverseOrder())
                .limit(devices)
                .reduce(Quantity.ZERO, Quantity::plus);
    }

    /**
     * Tries the ways to share out what is gathered, the first device giving the most it can, until one is accepted.
     * Capacities come in blocks, so there are finitely many; of one that does not, the two extremes are tried.
     *
     * @param accepted is told what each device gives beyond its least
     */
    boolean shareOut(List<Pick> gathered, Count.Together together, Predicate<List<Share>> accepted) {
        var extras = new ArrayList<Map<String, Quantity>>();
        gathered.forEach(pick -> extras.add(new TreeMap<>()));
        return shareOut(gathered, List.copyOf(together.amounts().entrySet()), 0, extras, accepted);
    }

    private boolean shareOut(
            List<Pick> gathered,
            List<Map.Entry<String, Quantity>> wanted,
            int index,
            List<Map<String, Quantity>> extras,
            Predicate<List<Share>> accepted) {
        if (index == wanted.size()) {
            return accepted.test(extras.stream().<Share>map(Share.Part::new).toList());
        }
        var name = wanted.get(index).getKey();
        var missing = wanted.get(index).getValue();
        for (var pick : gathered) {
            missing = missing.minus(given(pick, name));
        }
        var possible = gathered.stream().map(pick -> possible(pick, name)).toList();
        var split = new Split(name, gathered, possible, extras);
        return split.from(0, missing, () -> shareOut(gathered, wanted, index + 1, extras, accepted));
    }

    private Quantity possible(Pick pick, String name) {
        return pick.share() instanceof Share.Part
                ? board.capacity(pick.slot(), name).usable(board.leftOf(pick.slot(), name))
                : Quantity.ZERO;
    }

    /** The ways to share out one capacity. */
    private final class Split {
        private final String name;
        private final List<Pick> gathered;
        private final List<Quantity> possible;
        private final List<Map<String, Quantity>> extras;

        Split(String name, List<Pick> gathered, List<Quantity> possible, List<Map<String, Quantity>> extras) {
            this.name = name;
            this.gathered = gathered;
            this.possible = possible;
            this.extras = extras;
        }

        boolean from(int device, Quantity missing, BooleanSupplier rest) {
            if (missing.compareTo(Quantity.ZERO) <= 0) {
                return rest.getAsBoolean();
            }
            if (device == gathered.size()) {
                return false;
            }
            var capacity = board.capacity(gathered.get(device).slot(), name);
            var enough = capacity.taken(Optional.of(missing)).orElse(possible.get(device));
            var most = min(enough, possible.get(device));
            var later = possible.subList(device + 1, possible.size()).stream().reduce(Quantity.ZERO, Quantity::plus);
            var least = max(Quantity.ZERO, missing.minus(later));
            var step = capacity.step().orElse(max(most.minus(least), ONE));
            for (var given = most; given.compareTo(least) >= 0; given = given.minus(step)) {
                if (give(device, given, missing, rest)) {
                    return true;
                }
            }
            return false;
        }

        private boolean give(int device, Quantity given, Quantity missing, BooleanSupplier rest) {
            if (given.compareTo(Quantity.ZERO) > 0) {
                extras.get(device).put(name, given);
            }
            if (from(device + 1, missing.minus(given), rest)) {
                return true;
            }
            extras.get(device).remove(name);
            return false;
        }
    }

    private static Quantity min(Quantity one, Quantity other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Quantity max(Quantity one, Quantity other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** What a device gives by its share already: all it has, if it is taken whole. */
    private Quantity given(Pick pick, String name) {
        return switch (pick.share()) {
            case Share.Whole() -> board.capacity(pick.slot(), name).amount();
            case Share.Part(var amounts) -> amounts.getOrDefault(name, Quantity.ZERO);
        };
    }

    static Share sum(Share least, Share extra) {
        if (!(least instanceof Share.Part(var amounts)) || !(extra instanceof Share.Part(var more))) {
            return least;
        }
        var sum = new TreeMap<>(amounts);
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
        return new Share.Part(sum);
    }
}
