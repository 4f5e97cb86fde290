package dev.berth.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tarball's file system, and a way to run what is in it as a container runtime would: read-only, not as root. */
final class UnpackedImage {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Only {@code /tmp} can be written to. Where we are root, the program is user 65532; else it is who we are. */
    private static final String CONTAINER = """
            root=$1 tmp=$2
            shift 2
            mount --bind "$root" "$root" && mount -o remount,ro,bind "$root" || exit 125
            mount --bind "$tmp" "$root/tmp" && mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" || exit 125
            [ -w "$root/opt/berth" ] && touch "$root/opt/berth/written" 2>/dev/null && exit 125
            [ "$REALLY_ROOT" = yes ] && exec chroot --userspec=65532:65532 "$root" "$@"
            exec chroot "$root" "$@"
            """;

    private final Path root;
    private final Path tmp;
    private final JsonNode manifest;
    private final JsonNode config;

    private UnpackedImage(Path root, Path tmp, JsonNode manifest, JsonNode config) {
        this.root = root;
        this.tmp = tmp;
        this.manifest = manifest;
        this.config = config;
    }

    static UnpackedImage of(Path tarball, Path folder) throws IOException, InterruptedException {
        var packed = Files.createDirectories(folder.resolve("packed"));
        run("tar", "-xf", tarball.toString(), "-C", packed.toString());
        var json = new ObjectMapper();
        var manifest = json.readTree(packed.resolve("manifest.json").toFile()).path(0);
        var root = Files.createDirectories(folder.resolve("root"));
        for (var layer : manifest.path("Layers")) {
            var archive = packed.resolve(layer.asText()).toString();
            run("tar", "--warning=no-unknown-keyword", "-xzf", archive, "--no-same-owner", "-C", root.toString());
        }
        var tmp = Files.createDirectories(folder.resolve("tmp"));
        assertThat(tmp.toFile().setWritable(true, false)).isTrue();
        return new UnpackedImage(
                root,
                tmp,
                manifest,
                json.readTree(packed.resolve(manifest.path("Config").asText()).toFile()));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(PATIENCE)).as(String.join(" ", command)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    /** What keeps this machine from running it. */
    static Optional<String> obstacle(Path folder) throws IOException, InterruptedException {
        var command = new ArrayList<>(apart());
        command.addAll(List.of("mount", "--bind", folder.toString(), folder.toString()));
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean works = process.waitFor(PATIENCE) && process.exitValue() == 0;
            return works ? Optional.empty() : Optional.of("this machine allows no mount namespaces: " + command);
        } catch (IOException missing) {
            return Optional.of("unshare is missing (util-linux)");
        }
    }

    private static boolean reallyRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static List<String> apart() throws IOException {
        return reallyRoot()
                ? List.of("unshare", "--mount")
                : List.of("unshare", "--mount", "--user", "--map-root-user");
    }

    /** The manifest's entry of the image: its names and its layers. */
    JsonNode manifest() {
        return manifest;
    }

    /** How a runtime is to start it. */
    JsonNode settings() {
        return config.path("config");
    }

    /** What the program finds as {@code /tmp}. */
    Path tmp() {
        return tmp;
    }

    /** @param more environment beside the image's own */
    Process start(Path output, Map<String, String> more, List<String> arguments) throws IOException {
        var command = new ArrayList<>(apart());
        command.addAll(List.of("sh", "-c", CONTAINER, "container", root.toString(), tmp.toString()));
        settings().path("Entrypoint").forEach(word -> command.add(word.asText()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        var path = builder.environment().getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().clear();
        settings().path("Env").forEach(each -> {
            var pair = each.asText().split("=", 2);
            builder.environment().put(pair[0], pair[1]);
        });
        builder.environment().putAll(more);
        // For the programs that set the container up; the entry point is an absolute path.
        builder.environment().put("PATH", path);
        builder.environment().put("REALLY_ROOT", reallyRoot() ? "yes" : "no");
        return builder.start();
    }
}
