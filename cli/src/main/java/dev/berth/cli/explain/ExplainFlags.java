package dev.berth.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.KubeFlags;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    /** Prints one of the two, as the reader wants it. */
    void print(PrintWriter out, Supplier<ObjectNode> json, Consumer<Told> words) {
        switch (output) {
            case JSON -> out.println(json.get().toPrettyString());
            case TEXT -> words.accept(new Told(out));
        }
        out.flush();
    }

    Sight open() {
        return Sight.open(kube.settings());
    }
}
