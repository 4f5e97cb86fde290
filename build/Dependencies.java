import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares what the program is made of, as the bill of materials says, with what was looked at and committed: every jar
 * by its coordinates and the SHA-256 of its bytes. {@code --write} takes what is there.
 */
final class Dependencies {
    private static final String OURS = "dev.berth";
    private static final String HEAD = """
            # Every jar that Berth runs with: coordinates, SHA-256. The build fails where it finds another.
            # Written by build/lock; look at the difference before you commit it.
            """;

    private Dependencies() {}

    public static void main(String[] arguments) throws IOException {
        var found = found(Path.of(arguments[1]));
        var file = Path.of(arguments[2]);
        if (arguments[0].equals("--write")) {
            var lines = new StringBuilder(HEAD);
            found.forEach(
                    (jar, hash) -> lines.append(jar).append(' ').append(hash).append('\n'));
            Files.writeString(file, lines);
            System.out.printf("%d jars written to %s%n", found.size(), file.normalize());
            return;
        }
        var wrong = differences(locked(file), found);
        if (wrong.isEmpty()) return;
        wrong.forEach(line -> System.err.println("dependencies: " + line));
        System.err.println(
                "dependencies: if this is meant, run build/lock, look at what changed in build/dependencies.lock, and commit it");
        System.exit(1);
    }

    private static TreeMap<String, String> found(Path billOfMaterials) throws IOException {
        var jars = new TreeMap<String, String>();
        for (var component :
                new ObjectMapper().readTree(billOfMaterials.toFile()).path("components")) {
            if (component.path("group").asText().equals(OURS)) continue;
            jars.put(
                    "%s:%s:%s"
                            .formatted(
                                    component.path("group").asText(),
                                    component.path("name").asText(),
                                    component.path("version").asText()),
                    sha256(component));
        }
        if (jars.isEmpty()) throw new IllegalStateException("no jar is listed in " + billOfMaterials);
        return jars;
    }

    private static String sha256(JsonNode component) {
        for (var hash : component.path("hashes")) {
            if (hash.path("alg").asText().equals("SHA-256"))
                return hash.path("content").asText();
        }
        throw new IllegalStateException(
                "no SHA-256 of " + component.path("name").asText());
    }

    private static TreeMap<String, String> locked(Path file) throws IOException {
        var jars = new TreeMap<String, String>();
        for (var line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) continue;
            var parts = line.split(" ");
            jars.put(parts[0], parts[1]);
        }
        return jars;
    }

    private static List<String> differences(TreeMap<String, String> locked, TreeMap<String, String> found) {
        var wrong = new ArrayList<String>();
        var all = new TreeSet<>(locked.keySet());
        all.addAll(found.keySet());
        for (var jar : all) {
            if (!locked.containsKey(jar)) wrong.add(jar + " is used and not in build/dependencies.lock");
            else if (!found.containsKey(jar)) wrong.add(jar + " is in build/dependencies.lock and not used");
            else if (!locked.get(jar).equals(found.get(jar)))
                wrong.add("%s has other bytes than were locked: %s instead of %s"
                        .formatted(jar, found.get(jar), locked.get(jar)));
        }
        return wrong;
    }
}
