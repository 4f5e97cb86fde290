package dev.berth.assigner.label;

import java.util.ArrayList;
import java.util.Arrays;
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
     * The GPUs by UUID, each with its labels.
     *
     * @throws IllegalArgumentException naming the line that is not as expected
     */
    public static SortedMap<String, SortedSet<String>> read(String output) {
        var devices = new TreeMap<String, SortedSet<String>>();
        var columns = COLUMNS;
        int number = 0;
        for (var line : output.lines().toList()) {
            number++;
            var cells = cells(line);
            if (line.isBlank()) {
                continue;
            }
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
            devices.put(uuid, labels(cell(columns, cells, "name"), cell(columns, cells, "memory.total")));
        }
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("there is no GPU in what nvidia-smi printed");
        }
        return devices;
    }

    /**
     * The UUIDs by index, where an index stands in every line; none otherwise.
     *
     * @throws IllegalArgumentException as {@link #read}
     */
    public static List<String> byIndex(String output) {
        var wanted = read(output).keySet();
        var found = new TreeMap<Integer, String>();
        var columns = List.<String>of();
        for (var line : output.lines().toList()) {
            var cells = cells(line);
            if (cells.contains("uuid")) {
                columns = cells;
            } else if (cell(columns, cells, "index").matches("\\d{1,4}")) {
                found.put(Integer.parseInt(cell(columns, cells, "index")), cell(columns, cells, "uuid"));
            }
        }
        boolean complete = found.size() == wanted.size() && found.lastKey() == found.size() - 1;
        return complete ? List.copyOf(found.values()) : List.of();
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
