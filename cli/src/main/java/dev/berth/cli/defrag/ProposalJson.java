package dev.berth.cli.defrag;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.move.Figures;
import dev.berth.core.move.Layout;
import dev.berth.core.move.Spot;
import java.util.List;
import java.util.Optional;

/** A proposal for programs, with what became of it. */
final class ProposalJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ProposalJson() {}

    static ObjectNode of(Proposal proposal, String pod) {
        var json = JSON.objectNode();
        if (!pod.isEmpty()) {
            json.put("for", pod).put("fits", proposal.room().isPresent()).put("exhaustive", proposal.exhaustive());
        }
        proposal.room().ifPresent(plan -> {
            json.put("fewest", plan.fewest());
            json.set("room", spot(proposal.layout(), plan.spot()));
        });
        var moves = json.putArray("moves");
        for (var move : proposal.moves()) {
            var each = moves.addObject()
                    .put("pod", proposal.layout().tenant(move.tenant()).name());
            each.set("from", spot(proposal.layout(), move.from()));
            each.set("to", spot(proposal.layout(), move.to()));
        }
        json.set("before", figures(proposal.before(), proposal.fitBefore()));
        json.set("after", figures(proposal.after(), proposal.fitAfter()));
        var staying = json.putArray("staying");
        proposal.staying()
                .forEach(tenant -> staying.addObject()
                        .put("pod", tenant.name())
                        .put("reason", tenant.stays().orElse("")));
        return json;
    }

    static ObjectNode applied(ObjectNode plan, List<Made> made, Optional<String> problem) {
        var list = plan.putArray("applied");
        made.forEach(each -> list.addObject()
                .put("pod", each.pod())
                .put("replacement", each.replacement())
                .put("node", each.node())
                .put("planned", each.planned()));
        problem.ifPresent(message -> plan.put("problem", message));
        return plan;
    }

    private static ObjectNode spot(Layout layout, Spot spot) {
        var json = JSON.objectNode()
                .put("node", layout.sites().get(spot.node()).name().value());
        var gpus = json.putArray("gpus");
        spot.gpus().forEach(gpus::add);
        return json;
    }

    private static ObjectNode figures(Figures figures, List<String> fitting) {
        var json = JSON.objectNode()
                .put("gpus", figures.gpus())
                .put("given", figures.given())
                .put("fragmented", figures.fragmented())
                .put("untouched", figures.untouched());
        var pods = json.putArray("fitting");
        fitting.forEach(pods::add);
        return json;
    }
}
