package dev.berth.e2e.story;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The real kubectl as a subprocess, the one on the PATH before the one that was built; what it prints is written down.
 */
public final class Kubectl {
    private static final Path PROGRAM = find();

    private final Dialogue dialogue;
    private final Map<String, String> environment = new HashMap<>();
    private Pattern shown = Pattern.compile("");

    Kubectl(Dialogue dialogue) {
        this.dialogue = dialogue;
    }

    public Kubectl with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Runs a command line whose words are separated by blanks, in the story's namespace. */
    public String run(String commandLine) {
        return run(commandLine, "");
    }

    /** Runs a command line with something to read on its standard input. */
    public String run(String commandLine, String input) {
        return run(Arrays.asList(dialogue.inNamespace(commandLine).split(" ")), dialogue.inNamespace(input));
    }

    /** Writes only those lines of the output down that have a match for the expression; the rest differs by nature. */
    public String runShowing(String commandLine, String input, String expression) {
        shown = Pattern.compile(expression);
        return run(commandLine, input);
    }

    /** Runs the words as they are: for arguments with blanks in them. */
    public String run(List<String> arguments, String input) {
        var cluster = dialogue.cluster();
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(arguments);
        try {
            var home = Files.createDirectories(E2eFolder.target("home-of-kubectl-" + cluster.name() + "-"
                    + cluster.address().getPort()));
            var out = Files.createTempFile(home, "out", "");
            var err = Files.createTempFile(home, "err", "");
            var in = Files.writeString(Files.createTempFile(home, "in", ""), input);
            var builder = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("KUBECONFIG", namespaced(home).toString());
            builder.environment().put("HOME", home.toString());
            builder.environment().putAll(environment);
            var process = builder.start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl " + arguments + " did not end within 60 s");
            }
            var stdout = Files.readString(out, UTF_8);
            record(arguments, process.exitValue(), stdout, Files.readString(err, UTF_8));
            return stdout;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void record(List<String> arguments, int exit, String stdout, String stderr) {
        if (stderr.contains("Warning:")) throw new AssertionError("kubectl " + arguments + " warns: " + stderr);
        var selected = stdout.lines().filter(line -> shown.matcher(line).find()).collect(Collectors.joining("\n"));
        var normaliser = dialogue.normaliser();
        normaliser.knows(String.join(" ", arguments));
        dialogue.write(
                normaliser.text("$ kubectl " + String.join(" ", arguments)),
                "exit " + exit,
                KubectlText.plain(normaliser, selected),
                "stderr: " + KubectlText.plain(normaliser, stderr));
    }

    private Path namespaced(Path home) throws IOException {
        var text = Files.readString(dialogue.cluster().kubeconfig(), UTF_8)
                .replace("user: admin}", "user: admin, namespace: " + dialogue.namespace() + "}");
        return Files.writeString(home.resolve("config-" + dialogue.namespace()), text);
    }

    private static Path find() {
        var onPath = Optional.ofNullable(System.getenv("PATH")).stream()
                .flatMap(path -> Arrays.stream(path.split(":")))
                .map(directory -> Path.of(directory, "kubectl"))
                .filter(Files::isExecutable)
                .findFirst();
        if (onPath.isPresent()) return onPath.get();
        try {
            return Path.of(Programs.find().path("kubectl"));
        } catch (Programs.Unavailable e) {
            throw new IllegalStateException("no kubectl: " + e.getMessage(), e);
        }
    }
}
