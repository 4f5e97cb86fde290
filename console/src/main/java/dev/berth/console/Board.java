package dev.berth.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.Share;
import dev.berth.kube.explain.Explainer;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.explain.NodeReport;
import dev.berth.web.page.Changes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the page shows, as rows by key: {@code node/…}, {@code waiting/…}, {@code quota/…} and {@code cluster}. One
 * thread puts them together when something has changed, for all who look.
 */
final class Board implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Board.class);
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Duration BREATH = Duration.ofMillis(300);

    private final Lookout lookout;
    private final Explainer explainer;
    private final InstantSource clock;
    private final Waiting waiting;
    private final Trends trends = new Trends();
    private final Holders holders = new Holders();
    private final Changes seen = new Changes();
    private final Changes shown = new Changes();
    private final Thread thread;
    private volatile Figures figures = Figures.NONE;
    private volatile SortedMap<String, ObjectNode> rows = Collections.emptySortedMap();

    Board(Lookout lookout, InstantSource clock) {
        this.lookout = lookout;
        this.explainer = new Explainer(lookout);
        this.clock = clock;
        this.waiting = new Waiting(explainer);
        lookout.onChange(seen::touch);
        this.thread = Thread.ofPlatform().name("console-board").daemon().start(this::run);
    }

    Changes changes() {
        return shown;
    }

    SortedMap<String, ObjectNode> rows() {
        return rows;
    }

    Figures figures() {
        return figures;
    }

    Trends trends() {
        return trends;
    }

    Holders holders() {
        return holders;
    }

    private void run() {
        long version = -1;
        try {
            while (true) {
                version = seen.awaitOther(version, Trends.EVERY);
                try {
                    look();
                } catch (RuntimeException problem) {
                    LOG.warn("the page shows what it showed: the cluster could not be looked at", problem);
                }
                // A burst is one look.
                Thread.sleep(BREATH);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        if (!lookout.synced()) {
            return;
        }
        var picture = lookout.picture();
        var next = new TreeMap<String, ObjectNode>();
        var reports = new ArrayList<NodeReport>();
        for (var node : lookout.nodes().all()) {
            var report = explainer.node(node, picture);
            reports.add(report);
            if (!report.cells().isEmpty()
                    || !report.stray().isEmpty()
                    || !report.plain().isEmpty()) {
                next.put("node/" + report.name().value(), row(report));
            }
        }
        int count = waiting.fill(lookout.pods().all(), picture, next);
        figures = Figures.of(reports, count, waiting.reasons());
        quotas(picture.ledger(), next);
        var now = clock.instant();
        var shares = Trends.shares(reports);
        trends.saw(now, count, shares);
        holders.saw(now, reports);
        var cluster = JSON.objectNode()
                .put("nodes", reports.size())
                .put("waiting", count)
                .put("ledgers", lookout.sharedLedgers() ? "shared" : "own");
        var models = cluster.putObject("models");
        shares.forEach((model, share) -> models.putObject(model)
                .put("devices", share.devices())
                .put("allocated", Trends.rounded(share.allocated()))
                .put("fragmented", Trends.rounded(share.fragmented())));
        next.put("cluster", cluster);
        if (!next.equals(rows)) {
            rows = Collections.unmodifiableSortedMap(next);
            shown.touch();
        }
    }

    private void quotas(Ledger ledger, SortedMap<String, ObjectNode> next) {
        for (var advocate : lookout.advocates()) {
            for (var line : advocate.quotas(ledger)) {
                var row = JSON.objectNode()
                        .put("namespace", line.namespace())
                        .put("model", line.model())
                        .put("used", line.used());
                line.limit().ifPresent(limit -> row.put("limit", limit));
                next.put("quota/%s/%s".formatted(line.namespace(), line.model()), row);
            }
        }
    }

    static ObjectNode row(NodeReport report) {
        var row = JSON.objectNode()
                .put("name", report.name().value())
                .put("state", report.state())
                .put("free", report.free());
        var byNumber = report.byNumber();
        var devices = row.putArray("devices");
        for (var cell : report.cells()) {
            var device = devices.addObject()
                    .put("id", cell.device().id().value())
                    .put("model", cell.model())
                    .put("held", Trends.rounded(cell.held()));
            if (byNumber.contains(cell)) {
                device.put("byNumber", true);
            }
            var doors = device.putArray("doors");
            cell.doors().forEach(door -> doors.add(door.label()));
            var names = device.putArray("names");
            cell.names().forEach(name -> names.add(name.value()));
            var parts = device.putObject("parts");
            cell.parts().forEach((name, part) -> parts.put(name, Trends.rounded(part)));
            var holders = device.putArray("holders");
            cell.entries().forEach(entry -> holders.add(holder(entry)));
        }
        if (!report.stray().isEmpty()) {
            var stray = row.putArray("stray");
            report.stray()
                    .forEach(entry ->
                            stray.add(holder(entry).put("device", entry.device().value())));
        }
        if (!report.plain().isEmpty()) {
            var plain = row.putArray("plain");
            report.plain()
                    .forEach(pod -> plain.addObject().put("pod", pod.pod()).put("gpus", pod.gpus()));
        }
        return row;
    }

    private static ObjectNode holder(Entry entry) {
        return JSON.objectNode()
                .put("pod", entry.holder().toString())
                .put("door", entry.holder().door().label())
                .put("share", share(entry.share()))
                .put("state", entry.assumed() ? "assumed" : "confirmed");
    }

    private static String share(Share share) {
        return switch (share) {
            case Share.Whole _ -> "whole";
            case Share.Part(var amounts) ->
                amounts.entrySet().stream()
                        .map(each -> "%s %s".formatted(each.getValue(), each.getKey()))
                        .collect(Collectors.joining(", "));
        };
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
