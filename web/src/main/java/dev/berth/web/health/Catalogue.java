package dev.berth.web.health;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A registry that can say what is registered: a scrape tells only of what has a value. */
final class Catalogue extends PrometheusRegistry {
    private final List<Collector> collectors = new CopyOnWriteArrayList<>();

    @Override
    public void register(Collector collector) {
        super.register(collector);
        collectors.add(collector);
    }

    List<MetricDescription> described() {
        return collectors.stream()
                .flatMap(collector -> Stream.ofNullable(collector.getMetricFamilyDescriptor()))
                .map(Catalogue::describe)
                .toList();
    }

    private static MetricDescription describe(MetricFamilyDescriptor family) {
        var type = family.getType().name().toLowerCase(Locale.ROOT);
        var name = family.getPrometheusName();
        return new MetricDescription(
                type.equals("counter") && !name.endsWith("_total") ? name + "_total" : name,
                type,
                Collections.unmodifiableSortedSet(new TreeSet<>(family.getLabelNames())),
                String.valueOf(family.getMetadata().getHelp()));
    }
}
