package dev.berth.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.convert.PodForm;
import dev.berth.claims.convert.V1Conversion;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.ManifestText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The same claims in other words. */
@Command(
        name = "convert",
        description =
                "Write claims in another form: a pod's fields as an annotation, and back; or everything as resource.k8s.io/v1. What has no word there is named on stderr.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth claims convert -f pod.yaml | kubectl apply -f -   for a cluster that refuses the fields",
            "  berth claims convert -f pod.yaml --to fields",
            "  berth claims convert -f classes.yaml pools.yaml pod.yaml --to v1",
        })
final class ClaimsConvertCommand implements Callable<Integer> {
    /** What it is written as. */
    enum Form {
        ANNOTATION,
        FIELDS,
        V1
    }

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description = "YAML or JSON files, directories of them, or - for stdin.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "FORM",
            defaultValue = "annotation",
            description = "annotation, fields, or v1 for resource.k8s.io/v1 (default: ${DEFAULT-VALUE}).")
    private Form form = Form.ANNOTATION;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "yaml or json (default: ${DEFAULT-VALUE}).")
    private ManifestText output = ManifestText.YAML;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try {
            List<Manifest> manifests = ManifestFiles.read(files);
            output.write(converted(manifests), spec.commandLine().getOut());
            return 0;
        } catch (ManifestException wrong) {
            throw new Complaint.BadInput(String.valueOf(wrong.getMessage()));
        }
    }

    private List<ObjectNode> converted(List<Manifest> manifests) {
        return switch (form) {
            case ANNOTATION -> manifests.stream().map(PodForm.ANNOTATION::of).toList();
            case FIELDS -> manifests.stream().map(PodForm.FIELDS::of).toList();
            case V1 -> {
                var result = V1Conversion.of(manifests);
                result.notes().forEach(note -> spec.commandLine().getErr().println(note));
                yield result.objects();
            }
        };
    }
}
