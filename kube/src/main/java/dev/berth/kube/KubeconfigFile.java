package dev.berth.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** One kubeconfig file as it is written. */
record KubeconfigFile(Path path, Section root) {
    private static final long LARGEST = 8L << 20;

    /** A mapping in the file; it knows the file, because relative paths start there. */
    record Section(Path file, Map<?, ?> fields) {
        boolean has(String name) {
            return fields.get(name) != null;
        }

        Optional<String> text(String name) {
            return Optional.ofNullable(fields.get(name)).map(Object::toString).filter(text -> !text.isBlank());
        }

        List<String> texts(String name) {
            return fields.get(name) instanceof List<?> items
                    ? items.stream()
                            .filter(Objects::nonNull)
                            .map(Object::toString)
                            .toList()
                    : List.of();
        }

        Optional<Path> path(String name) {
            return text(name)
                    .map(text -> file.toAbsolutePath().resolveSibling(text).normalize());
        }

        Optional<Section> section(String name) {
            return fields.get(name) instanceof Map<?, ?> map ? Optional.of(new Section(file, map)) : Optional.empty();
        }

        List<Section> sections(String name) {
            var sections = new ArrayList<Section>();
            if (fields.get(name) instanceof List<?> items) {
                for (var item : items) {
                    if (item instanceof Map<?, ?> map) {
                        sections.add(new Section(file, map));
                    }
                }
            }
            return sections;
        }
    }

    static List<KubeconfigFile> read(List<Path> paths) {
        // kubectl passes over what KUBECONFIG lists and is not there, as long as something is.
        var there =
                paths.size() == 1 ? paths : paths.stream().filter(Files::exists).toList();
        if (there.isEmpty()) {
            throw new ConnectionException("none of the files in KUBECONFIG exists: %s"
                    .formatted(
                            String.join(", ", paths.stream().map(Path::toString).toList())));
        }
        return there.stream().map(KubeconfigFile::read).toList();
    }

    private static KubeconfigFile read(Path path) {
        if (!Files.exists(path)) {
            throw new ConnectionException("kubeconfig %s does not exist".formatted(path));
        }
        try {
            if (!Files.isRegularFile(path) || Files.size(path) > LARGEST) {
                throw new ConnectionException("kubeconfig %s is not a kubeconfig".formatted(path));
            }
            var yaml = new Load(LoadSettings.builder().setLabel(path.toString()).build());
            if (yaml.loadFromString(Files.readString(path)) instanceof Map<?, ?> root) {
                return new KubeconfigFile(path, new Section(path, root));
            }
            throw new ConnectionException("kubeconfig %s is empty or not a mapping".formatted(path));
        } catch (IOException unreadable) {
            throw new ConnectionException("kubeconfig %s cannot be read: %s".formatted(path, unreadable), unreadable);
        } catch (YamlEngineException malformed) {
            throw new ConnectionException("kubeconfig %s is not YAML: %s".formatted(path, place(malformed)));
        }
    }

    /** What is wrong and where, without the lines around it that the parser would show: a token may stand there. */
    private static String place(YamlEngineException malformed) {
        return malformed instanceof MarkedYamlEngineException marked
                ? marked.getProblemMark()
                        .map(mark -> "%s, line %d, column %d"
                                .formatted(marked.getProblem(), mark.getLine() + 1, mark.getColumn() + 1))
                        .orElse(marked.getProblem())
                : "it cannot be parsed";
    }
}
