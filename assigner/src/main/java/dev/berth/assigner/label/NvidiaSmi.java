package dev.berth.assigner.label;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads what {@code nvidia-smi --query-gpu=index,uuid,name,memory.total --format=csv} prints, and names labels for it:
 * the product, its family, and how much memory it has.
 */
public final class NvidiaSmi {
    private static final String PREFIX = "fudo.org/gpu.";
    private static final List<String> COLUMNS = List.of("uuid", "name", "memory.total");
    private static final Pattern MAKER = Pattern.compile("(?i)^(NVIDIA|Tesla|GeForce|Quadro)\\s+");
    private static final Pattern MEMORY = Pattern.compile("(?i)[\\s-]?\\d+\\s?GB$");
    private static final Pattern FAMILY = Pattern.compile("^([A-Za-z]{1,3}\\d{1,4}[A-Za-z]?)\\b.*");
    private static final Pattern MEBIBYTES = Pattern.compile("(\\d+)(?:\\.\\d+)?\\s*(?:MiB)?");

    private NvidiaSmi() {}

    /**
     * What was printed.
     *
     * @param labels the GPUs by UUID, each with its labels
     * @param byIndex their UUIDs by index; empty where not every line has one
     */
    public record Gpus(SortedMap<String, SortedSet<String>> labels, List<String> byIndex) {
        public static final Gpus NONE = new Gpus(Collections.emptySortedMap(), List.of());
    }

    /** @throws IllegalArgumentException naming the line that is not as expected */
    public static Gpus read(String output) {
        var labels = new TreeMap<String, SortedSet<String>>();
        var indexed = new TreeMap<Integer, String>();
        var columns = COLUMNS;
        int number = 0;
        for (var line : output.lines().toList()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            var cells = cells(line);
            if (cells.contains("uuid")) {
                columns = cells.stream()
                        .map(cell -> cell.replaceAll("\\s*\\[.*]$", ""))
                        .toList();
                continue;
            }
            var uuid = cell(columns, cells, "uuid");
            if (!uuid.startsWith("GPU-") && !uuid.startsWith("MIG-")) {
                throw new IllegalArgumentException(
                        "line %d is not a line of 'nvidia-smi --query-gpu=index,uuid,name,memory.total --format=csv': %s"
                                .formatted(number, line));
            }
            labels.put(uuid, labels(cell(columns, cells, "name"), cell(columns, cells, "memory.total")));
            var index = cell(columns, cells, "index");
            if (index.matches("\\d{1,4}")) {
                indexed.put(Integer.parseInt(index), uuid);
            }
        }
        if (labels.isEmpty()) {
            throw new IllegalArgumentException("there is no GPU in what nvidia-smi printed");
        }
        boolean complete = indexed.size() == labels.size() && indexed.lastKey() == indexed.size() - 1;
        return new Gpus(labels, complete ? List.copyOf(indexed.values()) : List.of());
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    }

    private static String cell(List<String> columns, List<String> cells, String name) {
        int place = columns.indexOf(name);
        return place >= 0 && place < cells.size() ? cells.get(place) : "";
    }

    private static SortedSet<String> labels(String name, String memory) {
        var names = new ArrayList<String>();
        var product = name.strip();
        while (MAKER.matcher(product).find()) {
            product = MAKER.matcher(product).replaceFirst("");
        }
        product = MEMORY.matcher(product).replaceFirst("").strip();
        if (!product.isEmpty()) {
            names.add(product.replaceAll("[^A-Za-z0-9]+", "-"));
            var family = FAMILY.matcher(product);
            if (family.matches()) {
                names.add(family.group(1));
            }
        }
        var size = MEBIBYTES.matcher(memory);
        if (size.matches()) {
            names.add("vram.%dg".formatted(Math.round(Long.parseLong(size.group(1)) / 1024.0)));
        }
        var labels = new TreeSet<String>();
        names.forEach(each -> labels.add(PREFIX + each.toLowerCase(Locale.ROOT)));
        return labels;
    }
}
