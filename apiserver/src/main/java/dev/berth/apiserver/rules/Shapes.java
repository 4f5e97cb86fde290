package dev.berth.apiserver.rules;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The shapes of all built-in kinds, read from the list that {@code e2e/controlplane/shapes} prints. */
final class Shapes {
    private static final String LIST = "/dev/berth/apiserver/kubernetes-1.36-go-shapes.txt";

    static final String CUSTOM = "berth/v1.Custom";

    private final Map<String, Shape.Struct> types = new HashMap<>();
    private final Map<String, Shape.Struct> kinds = new HashMap<>();

    static Shapes load() {
        var shapes = new Shapes();
        try (var list = Objects.requireNonNull(Shapes.class.getResourceAsStream(LIST), LIST);
                var lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            shapes.read(lines);
            // Of a custom kind Go knows the metadata only.
            shapes.type(CUSTOM)
                    .add(new Shape.Field("metadata", Shape.Empty.WRITTEN, shapes.type("meta/v1.ObjectMeta")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return shapes;
    }

    private void read(BufferedReader lines) throws IOException {
        Shape.Struct current = new Shape.Struct("");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("kind:")) kinds.put(words[1] + " " + words[2], type(words[3]));
            else if (words[0].equals("type:")) current = type(words[1]);
            else current.add(new Shape.Field(words[0], empty(words[1].charAt(0)), shape(words[1].substring(1))));
        }
    }

    /** @param apiVersion {@code v1}, {@code apps/v1} */
    Optional<Shape.Struct> kind(String apiVersion, String kind) {
        return Optional.ofNullable(kinds.get(apiVersion + " " + kind));
    }

    Shape.Struct type(String name) {
        return types.computeIfAbsent(name, Shape.Struct::new);
    }

    private static Shape.Empty empty(char code) {
        return switch (code) {
            case 'e' -> Shape.Empty.DROPPED;
            case 'z' -> Shape.Empty.DROPPED_IF_ZERO;
            default -> Shape.Empty.WRITTEN;
        };
    }

    private Shape shape(String code) {
        String rest = code.substring(1);
        return switch (code.charAt(0)) {
            case 's' -> new Shape.Text(rest);
            case 'n' -> new Shape.Numeric(rest);
            case 'b' -> new Shape.Flag(rest);
            case 'y' -> new Shape.Bytes("[]uint8");
            case 'q' -> new Shape.Amount("resource.Quantity");
            case 'R' -> new Shape.Amounts("v1.ResourceList");
            case 't' -> new Shape.Time("v1.Time", false);
            case 'u' -> new Shape.Time("v1.MicroTime", true);
            case 'i' -> new Shape.IntOrString("intstr.IntOrString");
            case '*' -> new Shape.Pointer(shape(rest));
            case '[' -> new Shape.Items(shape(rest));
            case '{' ->
                new Shape.Entries(rest.substring(0, rest.indexOf('|')), shape(rest.substring(rest.indexOf('|') + 1)));
            case '@' -> type(rest);
            default -> new Shape.Any("interface {}");
        };
    }
}
