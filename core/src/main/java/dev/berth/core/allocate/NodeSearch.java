package dev.berth.core.allocate;

import dev.berth.core.Share;
import dev.berth.core.demand.Count;
import dev.berth.core.policy.DeviceView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for devices for every ask of a demand on one node: asks in their order, choices in their order, devices in the
 * policy's order, so that the first answer found is the best one. Of interchangeable devices only one is tried, what
 * cannot work is recognised early, and what failed once is not tried again; {@code DESIGN.md} says why nothing is
 * missed.
 */
final class NodeSearch {
    private static final int STEPS_BETWEEN_LOOKS_AT_THE_CLOCK = 256;

    private final Question question;
    private final Suitability suitability;
    private final Board board;
    private final Bindings bindings;
    private final Bounds bounds;
    private final Gathering gathering;
    private final Optional<Comparator<DeviceView>> order;
    private final Deadline deadline;
    private final List<Pick> picks = new ArrayList<>();
    private final int[] ranks;
    private final Set<Object> failed = new HashSet<>();
    private boolean failedBefore;
    private int steps;

    NodeSearch(
            Question question,
            Suitability suitability,
            Board board,
            Optional<Comparator<DeviceView>> order,
            Deadline deadline) {
        this.question = question;
        this.suitability = suitability;
        this.board = board;
        this.bindings = new Bindings(question, suitability);
        this.bounds = new Bounds(question, suitability, board, bindings);
        this.gathering = new Gathering(board);
        this.order = order;
        this.deadline = deadline;
        this.ranks = new int[question.asks().size()];
    }

    /** @throws OutOfTime if the deadline came before the answer */
    Outcome run() {
        if (!bounds.leaveRoom(0) || !asksFrom(0)) {
            return Outcome.NONE;
        }
        return new Outcome.Found(picks, Arrays.stream(ranks).boxed().toList());
    }

    private boolean asksFrom(int ask) {
        if (ask == question.asks().size()) {
            return true;
        }
        var state = failedBefore ? state(ask) : null;
        if (state != null && (failed.contains(state) || !bounds.leaveRoom(ask))) {
            return false;
        }
        for (var choice : question.choicesOf(ask)) {
            ranks[ask] = choice.rank();
            if (choose(choice)) {
                return true;
            }
        }
        failedBefore = true;
        failed.add(state == null ? state(ask) : state);
        return false;
    }

    private Object state(int ask) {
        return List.of(ask, board.state(), bindings.state());
    }

    private boolean choose(Question.Numbered choice) {
        return switch (choice.choice().count()) {
            case Count.Exactly(int devices) ->
                pick(choice, candidates(choice), 0, devices, () -> asksFrom(choice.ask() + 1));
            case Count.All() -> takeAll(choice);
            case Count.Together together -> gather(choice, together);
        };
    }

    private int[] candidates(Question.Numbered choice) {
        var candidates = new ArrayList<Integer>();
        for (int slot = 0; slot < board.slots().size(); slot++) {
            if (suitability.suits(choice.number(), slot)
                    && gathering.share(slot, choice.choice()).isPresent()) {
                candidates.add(slot);
            }
        }
        order.ifPresent(comparator -> candidates.sort(Comparator.comparing(board::view, comparator)));
        return candidates.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Picks so many more devices from the candidates at {@code from} and later; then all the rest must succeed too. */
    private boolean pick(Question.Numbered choice, int[] candidates, int from, int more, BooleanSupplier rest) {
        if (more == 0) {
            return rest.getAsBoolean();
        }
        var tried = new Tried();
        for (int position = from; position <= candidates.length - more; position++) {
            int slot = candidates[position];
            var share = gathering.share(slot, choice.choice());
            if (share.isEmpty() || !bindings.admits(choice.number(), slot) || tried.contains(slot)) {
                continue;
            }
            boolean binds = more > 1 && bindings.wouldBind(choice.number());
            var taken = take(choice, slot, share.get());
            if ((!binds || bounds.leaveRoom(choice, candidates, position + 1, more - 1))
                    && pick(choice, candidates, position + 1, more - 1, rest)) {
                return true;
            }
            putBack(taken);
            tried.add(slot);
        }
        return false;
    }

    /** What was taken, and how things were before. */
    private record Taken(Bindings.Mark bindings, Optional<Board.Mark> board) {}

    private Taken take(Question.Numbered choice, int slot, Share share) {
        countStep();
        picks.add(new Pick(choice.number(), slot, share));
        var bound = bindings.bind(choice.number(), slot);
        return new Taken(bound, choice.choice().admin() ? Optional.empty() : Optional.of(board.take(slot, share)));
    }

    private void countStep() {
        if (++steps % STEPS_BETWEEN_LOOKS_AT_THE_CLOCK == 0 && deadline.over()) {
            throw new OutOfTime();
        }
    }

    private void putBack(Taken taken) {
        picks.removeLast();
        taken.board().ifPresent(board::undo);
        bindings.undo(taken.bindings());
    }

    /**
     * Every device that suits, or none: one that cannot be had spoils it, and so does one that would suit but for a
     * taint. One that has too little left to begin with does not suit.
     */
    private boolean takeAll(Question.Numbered choice) {
        var all = new ArrayList<Taken>();
        boolean complete = true;
        for (int slot = 0; complete && slot < board.slots().size(); slot++) {
            if (suitability.fault(choice.number(), slot) == Suitability.Fault.TAINTED) {
                complete = false;
            } else if (suitability.suits(choice.number(), slot) && !board.tooSmall(slot, choice.choice())) {
                var share = board.share(slot, choice.choice());
                complete = share.isPresent() && bindings.admits(choice.number(), slot);
                if (complete) {
                    all.add(take(choice, slot, share.get()));
                }
            }
        }
        if (complete && !all.isEmpty() && asksFrom(choice.ask() + 1)) {
            return true;
        }
        all.reversed().forEach(this::putBack);
        return false;
    }

    /** As few devices as have enough together. */
    private boolean gather(Question.Numbered choice, Count.Together together) {
        var candidates = candidates(choice);
        int most = Math.min(together.most(), candidates.length);
        int first = picks.size();
        for (int devices = together.least(); devices <= most; devices++) {
            if (gathering.enough(candidates, devices, choice.choice(), together)
                    && pick(choice, candidates, 0, devices, () -> shareOut(choice, together, first))) {
                return true;
            }
        }
        return false;
    }

    private boolean shareOut(Question.Numbered choice, Count.Together together, int first) {
        var gathered = List.copyOf(picks.subList(first, picks.size()));
        return gathering.shareOut(gathered, together, extras -> withExtras(choice, first, gathered, extras));
    }

    private boolean withExtras(Question.Numbered choice, int first, List<Pick> gathered, List<Share> extras) {
        countStep();
        var marks = new ArrayList<Board.Mark>();
        for (int index = 0; index < gathered.size(); index++) {
            var pick = gathered.get(index);
            if (!choice.choice().admin()) {
                marks.add(board.take(pick.slot(), extras.get(index)));
            }
            picks.set(
                    first + index,
                    new Pick(pick.choice(), pick.slot(), Gathering.sum(pick.share(), extras.get(index))));
        }
        if (asksFrom(choice.ask() + 1)) {
            return true;
        }
        marks.reversed().forEach(board::undo);
        for (int index = 0; index < gathered.size(); index++) {
            picks.set(first + index, gathered.get(index));
        }
        return false;
    }

    /** The devices that failed in one place of the search; another one in the same role would fail there too. */
    private final class Tried {
        private @Nullable Set<Object> roles;

        boolean contains(int slot) {
            return roles != null && roles.contains(board.role(slot));
        }

        void add(int slot) {
            if (roles == null) {
                roles = new HashSet<>();
            }
            roles.add(board.role(slot));
        }
    }
}
