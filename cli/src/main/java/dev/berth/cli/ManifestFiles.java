package dev.berth.cli;

import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.Manifests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The manifests that {@code -f} names: files, the YAML and JSON files of a directory, or stdin. */
final class ManifestFiles {
    private static final Path STDIN = Path.of("-");

    private ManifestFiles() {}

    static List<Manifest> read(List<Path> names) {
        List<Manifest> manifests = new ArrayList<>();
        for (Path name : names) {
            for (Path file : expanded(name)) {
                manifests.addAll(Manifests.read(file.equals(STDIN) ? "stdin" : file.toString(), text(file)));
            }
        }
        return manifests;
    }

    private static List<Path> expanded(Path name) {
        if (name.equals(STDIN) || !Files.isDirectory(name)) {
            return List.of(name);
        }
        try (var entries = Files.list(name)) {
            return entries.filter(entry -> entry.toString().matches(".*\\.(ya?ml|json)"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new Complaint.BadInput("cannot list " + name + ": " + unreadable.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            byte[] bytes = file.equals(STDIN) ? System.in.readAllBytes() : Files.readAllBytes(file);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new Complaint.BadInput(file + " is not UTF-8 text");
        } catch (NoSuchFileException _) {
            throw new Complaint.BadInput("there is no file " + file);
        } catch (IOException unreadable) {
            throw new Complaint.BadInput("cannot read " + file + ": " + unreadable.getMessage());
        }
    }
}
