package dev.berth.cli.explain;

import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Grouped;
import dev.berth.core.explain.Objection;
import dev.berth.kube.explain.NodeReport;
import dev.berth.kube.explain.PodReport;
import dev.berth.kube.explain.PodReport.Opinion;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reports as lines for people. */
final class Told {
    private static final int MOST_NODES = 10;

    private final PrintWriter out;

    Told(PrintWriter out) {
        this.out = out;
    }

    void pod(PodReport report) {
        out.println("pod %s/%s: %s".formatted(report.namespace(), report.name(), state(report)));
        report.holds()
                .forEach(held -> out.println("  holds %s of %s on %s, %s"
                        .formatted(share(held.entry()), held.entry().device(), held.node(), how(held.entry()))));
        report.opinions().forEach(this::opinion);
        if (report.node().isEmpty() && !report.over() && report.opinions().isEmpty()) {
            out.println("  no door takes it: it asks for no GPU in any way that Berth knows");
        }
    }

    private static String state(PodReport report) {
        if (report.over()) {
            return "it is over (%s)".formatted(report.phase());
        }
        return report.node()
                .map(node -> "on %s (%s)".formatted(node, report.phase()))
                .or(() -> report.since().map(since -> "waits since " + since))
                .orElse("not created yet");
    }

    private void opinion(Opinion opinion) {
        var door = "  %s (%s)".formatted(opinion.door().label(), opinion.asks());
        switch (opinion.answer()) {
            case Answer.Fits fits -> {
                out.println("%s: fits on %s%s"
                        .formatted(
                                door,
                                fits.node(),
                                fits.devices().isEmpty() ? "" : " with " + String.join(", ", fits.devices())));
                out.println("    why: " + fits.why());
                groups(fits);
            }
            case Answer.Waits waits -> {
                out.println(door + ": fits nowhere");
                groups(waits);
                Grouped.nearest(waits.objections()).ifPresent(node -> nearest(node, waits));
                looked(waits);
            }
            case Answer.Unusable(var why) -> out.println("%s: cannot be placed: %s".formatted(door, why));
        }
    }

    private void groups(Answer answer) {
        var groups = Grouped.of(answer.objections());
        if (!groups.groups().isEmpty()) {
            out.println("    " + groups);
        }
    }

    private void looked(Answer.Waits waits) {
        var told = waits.objections().entrySet().stream()
                .filter(each -> !each.getValue().looked().isEmpty())
                .toList();
        told.stream().limit(MOST_NODES).forEach(each -> {
            out.println("    on %s:".formatted(each.getKey()));
            each.getValue().looked().forEach(line -> out.println("      " + line));
        });
        if (told.size() > MOST_NODES) {
            out.println("    on %d more nodes: -o json".formatted(told.size() - MOST_NODES));
        }
    }

    private void nearest(NodeName node, Answer.Waits waits) {
        var objection = waits.objections().get(node);
        if (objection == null) {
            return;
        }
        out.println("    nearest: %s: %s".formatted(node, objection.sentence()));
        if (!objection.remedy().isEmpty()) {
            out.println("    would help: " + objection.remedy());
        }
    }

    /** The word of each door about one node. */
    void whyNot(String node, PodReport report) {
        var pod = "%s/%s".formatted(report.namespace(), report.name());
        if (report.node().isPresent()) {
            out.println(
                    report.node().get().equals(node)
                            ? "%s is on %s".formatted(pod, node)
                            : "%s is on %s, and not on %s"
                                    .formatted(pod, report.node().get(), node));
        }
        for (var opinion : report.opinions()) {
            out.println("%s (%s): %s".formatted(opinion.door().label(), opinion.asks(), words(node, opinion)));
            Optional.ofNullable(opinion.answer().objections().get(new NodeName(node)))
                    .ifPresent(objection -> objection.looked().forEach(line -> out.println("  " + line)));
        }
        if (report.opinions().isEmpty()) {
            out.println("no door takes %s: it asks for no GPU in any way that Berth knows".formatted(pod));
        }
    }

    private static String words(String node, Opinion opinion) {
        return switch (opinion.answer()) {
            case Answer.Fits fits
            when fits.node().value().equals(node) ->
                "%s would do%s"
                        .formatted(node, fits.devices().isEmpty() ? "" : ", with " + String.join(", ", fits.devices()));
            case Answer.Unusable(var why) -> "cannot be placed anywhere: " + why;
            case Answer answer ->
                answer.objections().entrySet().stream()
                        .filter(each -> each.getKey().value().equals(node))
                        .map(each -> words(each.getValue()))
                        .findFirst()
                        .orElse("not this node");
        };
    }

    private static String words(Objection objection) {
        return objection.remedy().isEmpty()
                ? objection.sentence()
                : "%s; would help: %s".formatted(objection.sentence(), objection.remedy());
    }

    void node(NodeReport report) {
        long free = report.free();
        int count = report.cells().size();
        out.println("node %s: %s, %d %s, %d free"
                .formatted(report.name(), report.state(), count, count == 1 ? "device" : "devices", free));
        for (var cell : report.cells()) {
            out.println("  %s (%s) through %s: %s"
                    .formatted(
                            cell.device().id(),
                            cell.model(),
                            cell.doors().stream().map(door -> door.label()).collect(Collectors.joining(", ")),
                            cell.free() ? "free" : "%.0f %% held".formatted(cell.held() * 100)));
            cell.entries().forEach(entry -> out.println("    " + holder(entry)));
        }
        report.stray()
                .forEach(entry ->
                        out.println("  %s, which nobody publishes: %s".formatted(entry.device(), holder(entry))));
        report.plain()
                .forEach(pod -> out.println(
                        "  %s has %d by number; which ones, only the node knows".formatted(pod.pod(), pod.gpus())));
    }

    private static String holder(Entry entry) {
        return "%s of it by %s, %s".formatted(share(entry), entry.holder(), how(entry));
    }

    private static String share(Entry entry) {
        return switch (entry.share()) {
            case Share.Whole _ -> "all";
            case Share.Part(var amounts) ->
                amounts.entrySet().stream()
                        .map(each -> "%s %s".formatted(each.getValue(), each.getKey()))
                        .collect(Collectors.joining(" and "));
        };
    }

    private static String how(Entry entry) {
        return "through the %s, %s"
                .formatted(
                        entry.holder().door().label(),
                        entry.state() instanceof Entry.State.Assumed(var expires)
                                ? "assumed until " + expires
                                : "confirmed");
    }
}
