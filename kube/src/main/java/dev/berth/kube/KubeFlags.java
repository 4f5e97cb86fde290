package dev.berth.kube;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that every command which talks to a cluster takes, as a picocli mixin. */
public final class KubeFlags {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the cluster. Default: $KUBECONFIG, else ~/.kube/config, else in-cluster.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context in the kubeconfig. Default: its current context.")
    private @Nullable String context;

    /** Whether a flag names a kubeconfig or a context. */
    public boolean given() {
        return kubeconfig != null || context != null;
    }

    public ConnectionSettings settings() {
        return ConnectionSettings.of(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    }
}
