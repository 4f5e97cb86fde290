package dev.berth.cli.defrag;

import dev.berth.cli.TextTable;
import dev.berth.core.move.Figures;
import dev.berth.core.move.Layout;
import dev.berth.core.move.Spot;
import dev.berth.core.move.Tenant;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** A proposal in words. */
final class ProposalText {
    /** More names than this are a number. */
    private static final int NAMES = 10;

    private final PrintWriter out;
    private final Proposal proposal;

    ProposalText(PrintWriter out, Proposal proposal) {
        this.out = out;
        this.proposal = proposal;
    }

    void roomFor(String pod, int most) {
        if (proposal.room().isEmpty()) {
            out.println("%s: no room, and %s make any%s"
                    .formatted(
                            pod,
                            most == 1 ? "no move would" : "no %d moves would".formatted(most),
                            proposal.exhaustive() ? "" : ", as far as was looked"));
            staying();
            return;
        }
        var plan = proposal.room().get();
        var where = place(proposal.layout(), plan.spot());
        if (plan.moves().isEmpty()) {
            out.println("%s has room without any move: %s".formatted(pod, where));
            return;
        }
        out.println("%s: %s make%s room on %s%s"
                .formatted(
                        pod,
                        moves(plan.moves().size()),
                        plan.moves().size() == 1 ? "s" : "",
                        where,
                        plan.fewest() ? "; fewer will not do" : "; fewer may do, not all was looked at"));
        out.println();
        table();
        gain();
        staying();
    }

    void tidying() {
        if (proposal.moves().isEmpty()) {
            out.println("no move would lower fragmentation");
            staying();
            return;
        }
        out.println("%s, each the one that lowers fragmentation most when it is its turn"
                .formatted(moves(proposal.moves().size())));
        out.println();
        table();
        gain();
        staying();
    }

    static String moves(int count) {
        return count == 1 ? "1 move" : count + " moves";
    }

    private void table() {
        var table = new TextTable("MOVE", "POD", "FROM", "TO");
        int number = 1;
        for (var move : proposal.moves()) {
            table.row(
                    Integer.toString(number++),
                    proposal.layout().tenant(move.tenant()).name(),
                    place(proposal.layout(), move.from()),
                    place(proposal.layout(), move.to()));
        }
        table.print(out);
        out.println();
    }

    static String place(Layout layout, Spot spot) {
        var node = layout.sites().get(spot.node()).name().value();
        return spot.gpus().isEmpty()
                ? node
                : node + " GPU " + spot.gpus().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private void gain() {
        var table = new TextTable("", "BEFORE", "AFTER");
        table.row("GPUs given out", given(proposal.before()), given(proposal.after()));
        table.row("fragmented", fragmented(proposal.before()), fragmented(proposal.after()));
        table.row(
                "untouched GPUs",
                Integer.toString(proposal.before().untouched()),
                Integer.toString(proposal.after().untouched()));
        table.row(
                "other waiting pods that fit",
                Integer.toString(proposal.fitBefore().size()),
                Integer.toString(proposal.fitAfter().size()));
        table.print(out);
        var more = proposal.fitAfter().stream()
                .filter(pod -> !proposal.fitBefore().contains(pod))
                .toList();
        if (!more.isEmpty()) {
            out.println("then fit, each by itself: " + some(more));
        }
    }

    private static String given(Figures figures) {
        return "%.2f of %d".formatted(figures.given(), figures.gpus());
    }

    private static String fragmented(Figures figures) {
        return "%.2f %%".formatted(figures.gpus() == 0 ? 0 : 100 * figures.fragmented() / figures.gpus());
    }

    private void staying() {
        var staying = proposal.staying();
        if (!staying.isEmpty()) {
            out.println("not to be moved: "
                    + some(staying.stream().map(ProposalText::reason).toList()));
        }
    }

    private static String reason(Tenant tenant) {
        return "%s (%s)".formatted(tenant.name(), tenant.stays().orElse(""));
    }

    private static String some(List<String> names) {
        var few = names.stream().limit(NAMES).collect(Collectors.joining(", "));
        return names.size() > NAMES ? "%s and %d more".formatted(few, names.size() - NAMES) : few;
    }
}
