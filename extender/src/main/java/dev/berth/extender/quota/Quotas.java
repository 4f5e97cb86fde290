package dev.berth.extender.quota;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.event.Events;
import dev.berth.kube.event.Happening;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The quota as the ConfigMap says at the moment; of a value that makes no sense the last good one stays. */
public final class Quotas implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Quotas.class);

    private final QuotaSettings settings;
    private final Events events;
    private final Counter unusable;
    private final Cache<ConfigMap> cache;
    private volatile QuotaRules rules = QuotaRules.NONE;
    /** Whether the first value is one that cannot be read: then there is no last good one, and not "no quota". */
    private volatile boolean unread;

    public Quotas(Cluster cluster, QuotaSettings settings, Events events, PrometheusRegistry registry) {
        this.settings = settings;
        this.events = events;
        this.unusable = Counter.builder()
                .name("berth_quota_unusable_values_total")
                .help("Quotas that could not be read, so that the last good one stayed.")
                .register(registry);
        this.cache = Cache.of(
                cluster, Listing.of(ConfigMap.class).in(settings.namespace()).named(settings.name()));
        cache.onChange(this::heard);
    }

    public void start() {
        cache.start();
    }

    /** Whether it is known what the quota is: after a start on a value that cannot be read not until it can. */
    public boolean synced() {
        return cache.synced() && !unread;
    }

    public QuotaRules rules() {
        return rules;
    }

    private void heard(Change<ConfigMap> change) {
        if (change instanceof Change.Removed<ConfigMap>) {
            LOG.info("quota is gone, nothing is limited: configmap={}/{}", settings.namespace(), settings.name());
            rules = QuotaRules.NONE;
            unread = false;
            return;
        }
        var data = Objects.requireNonNullElse(change.newest().getData(), Map.<String, String>of());
        var text = Optional.ofNullable(data.get(QuotaSettings.KEY));
        try {
            rules = QuotaRules.parse(text.orElseThrow(
                    () -> new IllegalArgumentException("the key %s is missing".formatted(QuotaSettings.KEY))));
            unread = false;
            LOG.info(
                    "quota read: configmap={}/{} namespaces={}",
                    settings.namespace(),
                    settings.name(),
                    rules.byNamespace().size());
        } catch (IllegalArgumentException malformed) {
            unusable.inc();
            // Once filled, the cache has shown a good value or that there is none, and that stays.
            unread = unread || !cache.synced();
            var why = (unread
                            ? "the quota cannot be used and no GPU pod is placed until it can: "
                            : "the quota cannot be used and the last good one stays: ")
                    + malformed.getMessage();
            LOG.warn("{}: configmap={}/{}", why, settings.namespace(), settings.name());
            events.tell(
                    Happening.about(change.newest(), Happening.Type.WARNING, "UnusableGPUQuota", "ReadGPUQuota", why));
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
