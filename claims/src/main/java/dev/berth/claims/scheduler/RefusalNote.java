package dev.berth.claims.scheduler;

import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Words;
import dev.berth.kube.fit.NodeReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A refusal in kube-scheduler's style, with what the nodes lack and what their devices lack side by side. */
final class RefusalNote {
    private RefusalNote() {}

    static String of(Refusal refusal, Shortlist shortlist) {
        var reasons = new NodeReasons();
        refusal.perNode().forEach((node, reason) -> {
            var own = shortlist.against(node);
            if (own.isEmpty()) {
                reasons.add(node, "node(s) where " + Words.of(reason), "");
            } else {
                reasons.add(node, own);
            }
        });
        return reasons.note(refusal.perNode().size());
    }

    /** What kinds of reasons there were, for metrics. */
    static List<String> codes(Refusal refusal, Shortlist shortlist) {
        var codes = new ArrayList<String>();
        refusal.perNode().forEach((node, reason) -> {
            var own = shortlist.against(node);
            if (own.isEmpty()) {
                codes.add(code(reason));
            } else {
                own.forEach(unfit -> codes.add(unfit.code()));
            }
        });
        return codes.stream().distinct().sorted().toList();
    }

    private static String code(Reason reason) {
        var name = reason.getClass().getSimpleName();
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
