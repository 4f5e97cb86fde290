package dev.berth.web.health;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/**
 * The figures that dashboards expect of any process. Everything is looked up when it is asked for: the management beans
 * would cost a good part of a door's start.
 */
final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";

    private ProcessMetrics() {}

    static void register(PrometheusRegistry registry) {
        CounterWithCallback.builder()
                .name("process_cpu_seconds_total")
                .help("Processor time spent, in seconds.")
                .callback(callback -> ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .ifPresent(time -> callback.call(time.toNanos() / 1e9)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("process_start_time_seconds")
                .help("When the process started, in seconds since 1970.")
                .callback(callback -> ProcessHandle.current()
                        .info()
                        .startInstant()
                        .ifPresent(start -> callback.call(start.toEpochMilli() / 1e3)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("process_resident_memory_bytes")
                .help("Memory that the process holds in RAM.")
                .callback(callback -> residentBytes().ifPresent(callback::call))
                .register(registry);
        GaugeWithCallback.builder()
                .name("jvm_memory_used_bytes")
                .help("Memory in use by the Java virtual machine, by area.")
                .labelNames("area")
                .callback(callback -> {
                    var memory = ManagementFactory.getMemoryMXBean();
                    callback.call((double) memory.getHeapMemoryUsage().getUsed(), "heap");
                    callback.call((double) memory.getNonHeapMemoryUsage().getUsed(), "nonheap");
                })
                .register(registry);
        GaugeWithCallback.builder()
                .name("jvm_threads_current")
                .help("Platform threads that live now.")
                .callback(callback ->
                        callback.call(ManagementFactory.getThreadMXBean().getThreadCount()))
                .register(registry);
    }

    /** Only Linux tells; elsewhere the figure is left out. */
    private static OptionalDouble residentBytes() {
        if (!Files.isReadable(STATUS)) {
            return OptionalDouble.empty();
        }
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .map(line -> line.substring(RESIDENT.length()).strip().split(" ")[0])
                    .mapToDouble(kilobytes -> Long.parseLong(kilobytes) * 1024.0)
                    .findFirst();
        } catch (IOException _) {
            return OptionalDouble.empty();
        }
    }
}
