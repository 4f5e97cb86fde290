package dev.berth.image;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.FilePermissionsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Packs the laid out files as {@code docker load} takes them. */
final class Tarball {
    /** The charts' own name for it. */
    private static final String NAME = "berth";

    private static final String USER = "65532:65532";
    /** What changes least comes first, so that an update is small. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("etc", "lib", "lib64", "usr/lib", "usr/lib64", "usr/share", "tmp", "proc", "dev", "sys"),
            List.of("opt/berth/jre"),
            List.of("opt/berth/lib"),
            List.of(
                    "usr/bin",
                    "opt/berth/berth.jar",
                    "opt/berth/berth.flags",
                    "opt/berth/berth.commands",
                    "opt/berth/berth.aot",
                    "opt/berth/berth-lean.aot",
                    "opt/berth/berth-short.aot"));

    private Tarball() {}

    static void write(Path root, Path tarball, String version) throws Exception {
        var image = Jib.fromScratch()
                .setUser(USER)
                .setEntrypoint("/usr/bin/berth")
                .setWorkingDirectory(AbsoluteUnixPath.get("/tmp"))
                .setEnvironment(Map.of("PATH", "/usr/bin", "LANG", "C.UTF-8", "HOME", "/tmp"))
                .setLabels(Map.of(
                        "org.opencontainers.image.title", "Berth",
                        "org.opencontainers.image.description", "GPU placement for Kubernetes",
                        "org.opencontainers.image.version", version,
                        "org.opencontainers.image.licenses", "Apache-2.0"))
                .addPlatform(architecture(), "linux");
        for (var layer : LAYERS) image.addFileEntriesLayer(layer(root, layer));
        var cache = tarball.resolveSibling("jib-cache");
        image.containerize(Containerizer.to(TarImage.at(tarball).named("%s:%s".formatted(NAME, version)))
                .withAdditionalTag("latest")
                .setOfflineMode(true)
                .setToolName("berth")
                .setApplicationLayersCache(cache)
                .setBaseImageLayersCache(cache));
    }

    private static String architecture() {
        var name = System.getProperty("os.arch", "");
        return name.equals("aarch64") ? "arm64" : name;
    }

    private static FileEntriesLayer layer(Path root, List<String> paths) throws IOException {
        FilePermissionsProvider permissions = (file, place) -> {
            if (place.toString().equals("/tmp")) return FilePermissions.fromOctalString("777");
            boolean forAll = Files.isDirectory(file) || Files.isExecutable(file);
            return FilePermissions.fromOctalString(forAll ? "755" : "644");
        };
        var layer = FileEntriesLayer.builder();
        for (var path : paths) {
            if (Files.exists(root.resolve(path))) {
                layer.addEntryRecursive(root.resolve(path), AbsoluteUnixPath.get("/" + path), permissions);
            }
        }
        return layer.build();
    }
}
