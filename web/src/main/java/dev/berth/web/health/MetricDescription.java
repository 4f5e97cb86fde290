package dev.berth.web.health;

import java.util.SortedSet;

/**
 * A metric as {@code /metrics} tells of it, whether or not there is a value yet.
 *
 * @param name as it is asked for: a counter's ends in {@code _total}, a histogram's gets its endings from Prometheus
 * @param type {@code counter}, {@code gauge} or {@code histogram}
 * @param help what it means
 */
public record MetricDescription(String name, String type, SortedSet<String> labels, String help) {}
