package dev.berth.cli.explain;

import dev.berth.kube.KubeFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags that all commands which explain something have, as a picocli mixin. */
final class ExplainFlags {
    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace of pods that do not say theirs. Default: the kubeconfig's.")
    private @Nullable String namespace;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (default: ${DEFAULT-VALUE}).")
    private Output output = Output.TEXT;

    @Nullable
    String namespace() {
        return namespace;
    }

    Output output() {
        return output;
    }

    Sight open() {
        return Sight.open(kube.settings());
    }
}
