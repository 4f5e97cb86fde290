package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What docs/claims.md says is true on both servers: its commands are run as a reader would run them. */
@OnBothServers
class ClaimsDocIT {
    private static final Path ROOT = Path.of(System.getProperty("berth.e2e.directory", "."))
            .toAbsolutePath()
            .normalize()
            .resolve("..")
            .normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory = Path.of(".");

    /** A command of the page, and the lines under it. */
    private record Step(String command, List<String> expected) {}

    @Story
    @Timeout(300)
    void thePagePrintsWhatItSays(Cluster cluster) throws Exception {
        Files.createSymbolicLink(directory.resolve("berth"), ROOT.resolve("berth"));
        Files.createSymbolicLink(directory.resolve("examples"), ROOT.resolve("examples"));
        Files.copy(cluster.kubeconfig(), directory.resolve("kubeconfig"));
        List<Step> steps = steps(Files.readString(ROOT.resolve("docs/claims.md")));
        assertThat(steps.size()).isGreaterThan(15);
        for (Step step : steps) {
            String output = run(step.command());
            assertThat(output.lines().map(ClaimsDocIT::normal).toList())
                    .as(step.command())
                    .isEqualTo(step.expected().stream().map(ClaimsDocIT::normal).toList());
            if (step.command().contains("apply -f examples/claims/nodes.yaml")) markNodesReady();
        }
        // Without controllers nobody removes what belonged to the pod.
        run("kubectl --kubeconfig kubeconfig delete deviceclaims --all");
    }

    /** A server marks new nodes as not ready until a controller has looked at them; here the test stands in for it. */
    private void markNodesReady() throws Exception {
        run(
                "kubectl --kubeconfig kubeconfig taint nodes node-00 node-01 node-02 node.kubernetes.io/not-ready:NoSchedule-");
    }

    private static List<Step> steps(String page) {
        List<Step> steps = new ArrayList<>();
        var block = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL).matcher(page);
        while (block.find()) {
            for (String part : block.group(1).split("(?m)^\\$ ")) {
                if (part.isBlank()) continue;
                List<String> lines = part.lines().toList();
                steps.add(new Step(lines.getFirst(), lines.subList(1, lines.size())));
            }
        }
        return steps;
    }

    /** Ages differ from run to run, and kubectl's words for a forced deletion from release to release. */
    private static String normal(String line) {
        return line.replaceAll("(?<=\\s)(\\d+m)?\\d+s(?=\\s|$)\\s*", "AGE ")
                .replaceAll("force deleted.*", "force deleted")
                .stripTrailing();
    }

    private String run(String command) throws Exception {
        Path output = Files.createTempFile(directory, "step", ".txt");
        var builder = new ProcessBuilder("bash", "-c", command).directory(directory.toFile());
        builder.environment().put("BERTH_NO_BUILD", "1");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(command)
                .isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(command + "\n" + text).isZero();
        return text;
    }
}
