package dev.berth.e2e.chart;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What runs in place of a pod's container: {@code berth} with the container's arguments, on an address of its own. */
final class PodProcess implements AutoCloseable {
    private final Pod pod;
    private final Container container;
    private final PodFolder folder;
    private final String address;
    private final Path hosts;
    private @Nullable GuardedProcess process;
    private int restarts;
    private boolean ready;

    /**
     * @param container one of the pod's
     * @param address on loopback, this pod's alone
     * @param hosts names of Services, in place of a DNS
     */
    PodProcess(Pod pod, Container container, PodFolder folder, String address, Path hosts) {
        this.pod = pod;
        this.container = container;
        this.folder = folder;
        this.address = address;
        this.hosts = hosts;
    }

    void start() {
        folder.refreshVolumes();
        process = GuardedProcess.start(command(), log());
    }

    /** Brings a container of a Deployment back, as a kubelet would. */
    void restart() {
        restarts++;
        start();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        var environment = environment();
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.add(E2eFolder.launcher().toString());
        for (var argument : Objects.requireNonNullElse(container.getArgs(), List.<String>of())) {
            // All pods share this machine: each listens on its own address, not on all.
            if (argument.startsWith("--bind-address")) continue;
            command.add(folder.translate(expand(argument, environment), volumeMounts()));
        }
        if (serves()) command.add("--bind-address=" + address);
        return command;
    }

    private boolean serves() {
        return !Objects.requireNonNullElse(container.getPorts(), List.of()).isEmpty();
    }

    private List<VolumeMount> volumeMounts() {
        return Objects.requireNonNullElse(container.getVolumeMounts(), List.of());
    }

    private Map<String, String> environment() {
        var variables = new LinkedHashMap<String, String>();
        Stream.of("PATH", "LANG", "BERTH_JAVA_HOME", "JAVA_HOME").forEach(name -> {
            var value = System.getenv(name);
            if (value != null) variables.put(name, value);
        });
        variables.put("HOME", folder.directory().toString());
        variables.put("KUBECONFIG", folder.kubeconfig().toString());
        variables.put("BERTH_NO_BUILD", "1");
        variables.put("BERTH_JAVA_OPTS", BerthProcess.FIRST_COMPILER + " -Djdk.net.hosts.file=" + hosts);
        for (var each : Objects.requireNonNullElse(container.getEnv(), List.<EnvVar>of())) {
            variables.put(each.getName(), folder.translate(value(each), volumeMounts()));
        }
        return variables;
    }

    private String value(EnvVar variable) {
        var source = variable.getValueFrom();
        if (source == null) return Objects.requireNonNullElse(variable.getValue(), "");
        if (source.getFieldRef() == null) {
            throw new IllegalStateException(
                    "%s: this kubelet knows values and fieldRefs".formatted(variable.getName()));
        }
        return switch (source.getFieldRef().getFieldPath()) {
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> pod.getMetadata().getNamespace();
            case "status.podIP" -> address;
            case "spec.nodeName" -> Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
            default -> throw new IllegalStateException("unknown field " + source.getFieldRef());
        };
    }

    private static String expand(String argument, Map<String, String> environment) {
        var expanded = argument;
        for (var variable : environment.entrySet()) {
            expanded = expanded.replace("$(" + variable.getKey() + ")", variable.getValue());
        }
        return expanded;
    }

    Pod pod() {
        return pod;
    }

    Container container() {
        return container;
    }

    String address() {
        return address;
    }

    PodFolder folder() {
        return folder;
    }

    int restarts() {
        return restarts;
    }

    boolean ready() {
        return ready;
    }

    void ready(boolean now) {
        ready = now;
    }

    /** Empty while it runs. */
    OptionalInt exitCode() {
        return process == null ? OptionalInt.empty() : process.exitCode();
    }

    Path log() {
        return folder.directory().resolve("log-" + container.getName() + "-" + restarts);
    }

    String lastWords() {
        return process == null ? "(not started)" : process.lastWords();
    }

    void kill() {
        if (process != null) process.kill();
    }

    @Override
    public void close() {
        if (process != null) process.close();
    }
}
