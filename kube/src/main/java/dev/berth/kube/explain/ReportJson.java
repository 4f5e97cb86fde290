package dev.berth.kube.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Grouped;
import dev.berth.core.explain.Objection;
import java.util.Map;

/** Reports as JSON: what {@code berth explain -o json} prints, and what the console's page reads. */
public final class ReportJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ReportJson() {}

    public static ObjectNode of(PodReport report) {
        var json = JSON.objectNode()
                .put("namespace", report.namespace())
                .put("name", report.name())
                .put("phase", report.phase())
                .put("fits", report.fits());
        report.node().ifPresent(node -> json.put("node", node));
        report.since().ifPresent(since -> json.put("since", since.toString()));
        var holds = json.putArray("holds");
        report.holds()
                .forEach(held ->
                        holds.add(of(held.entry()).put("node", held.node().value())));
        var doors = json.putArray("doors");
        report.opinions().forEach(opinion -> doors.add(of(opinion)));
        return json;
    }

    public static ObjectNode of(PodReport.Opinion opinion) {
        var json = JSON.objectNode().put("door", opinion.door().label()).put("asks", opinion.asks());
        switch (opinion.answer()) {
            case Answer.Fits fits -> {
                json.put("answer", "fits").put("node", fits.node().value()).put("why", fits.why());
                var devices = json.putArray("devices");
                fits.devices().forEach(devices::add);
            }
            case Answer.Waits(var objections) -> {
                json.put("answer", "waits");
                Grouped.nearest(objections).ifPresent(node -> {
                    var objection = objections.get(node);
                    if (objection != null) {
                        json.set("nearest", of(objection).put("node", node.value()));
                    }
                });
            }
            case Answer.Unusable(var why) -> json.put("answer", "unusable").put("why", why);
        }
        json.set("reasons", groups(opinion.answer().objections()));
        opinion.answer().objections().forEach((node, objection) -> {
            if (!objection.looked().isEmpty()) {
                var lines = json.withObjectProperty("looked").putArray(node.value());
                objection.looked().forEach(lines::add);
            }
        });
        return json;
    }

    private static ArrayNode groups(Map<NodeName, Objection> objections) {
        var groups = JSON.arrayNode();
        for (var group : Grouped.of(objections).groups()) {
            var json = groups.addObject()
                    .put("count", group.nodes().size())
                    .put("reason", group.words())
                    .put("kind", group.kind().label());
            var nodes = json.putObject("nodes");
            group.nodes().forEach(node -> {
                var objection = objections.get(node);
                nodes.put(node.value(), objection == null ? "" : objection.sentence());
            });
        }
        return groups;
    }

    public static ObjectNode of(Objection objection) {
        return JSON.objectNode()
                .put("kind", objection.kind().label())
                .put("reason", objection.group())
                .put("sentence", objection.sentence())
                .put("missing", objection.missing())
                .put("remedy", objection.remedy());
    }

    public static ObjectNode of(NodeReport report) {
        var json = JSON.objectNode()
                .put("node", report.name().value())
                .put("state", report.state())
                .put("free", report.free());
        var devices = json.putArray("devices");
        report.cells().forEach(cell -> devices.add(of(cell)));
        var stray = json.putArray("stray");
        report.stray().forEach(entry -> stray.add(of(entry)));
        var plain = json.putArray("plain");
        report.plain().forEach(pod -> plain.addObject().put("pod", pod.pod()).put("gpus", pod.gpus()));
        return json;
    }

    private static ObjectNode of(NodeReport.Cell cell) {
        var device = cell.device();
        var json = JSON.objectNode()
                .put("id", device.id().value())
                .put("model", cell.model())
                .put("held", Math.round(cell.held() * 1000) / 1000.0);
        device.uuid().ifPresent(uuid -> json.put("uuid", uuid));
        if (device.index().isPresent()) {
            json.put("index", device.index().getAsInt());
        }
        var doors = json.putArray("doors");
        cell.doors().forEach(door -> doors.add(door.label()));
        var names = json.putArray("names");
        cell.names().forEach(name -> names.add(name.value()));
        var capacities = json.putObject("capacities");
        device.capacities()
                .forEach((name, capacity) ->
                        capacities.put(name, capacity.amount().toString()));
        var holders = json.putArray("holders");
        cell.entries().forEach(entry -> holders.add(of(entry)));
        return json;
    }

    public static ObjectNode of(Entry entry) {
        var holder = entry.holder();
        var json = JSON.objectNode()
                .put("device", entry.device().value())
                .put("namespace", holder.namespace())
                .put("name", holder.name())
                .put("door", holder.door().label());
        switch (entry.share()) {
            case Share.Whole _ -> json.put("share", "whole");
            case Share.Part(var amounts) -> {
                var share = json.putObject("share");
                amounts.forEach((name, amount) -> share.put(name, amount.toString()));
            }
        }
        if (entry.state() instanceof Entry.State.Assumed(var expires)) {
            json.put("state", "assumed").put("expires", expires.toString());
        } else {
            json.put("state", "confirmed");
        }
        return json;
    }
}
