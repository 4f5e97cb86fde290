package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.core.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * So much of a resource.
 *
 * @param blockSize what is given out is a multiple of this; one, where nothing is said
 */
public record Capacity(String name, Quantity capacity, Optional<Quantity> blockSize) {
    /** Both forms: the list of names, capacities and block sizes, and the older map of names to capacities. */
    static List<Capacity> read(Fields fields, String... spellings) {
        var found = fields.find(spellings);
        if (found.isEmpty()) {
            return List.of();
        }
        List<Capacity> capacities = new ArrayList<>();
        if (found.get().isObject()) {
            found.get()
                    .entries()
                    .forEach((name, value) ->
                            capacities.add(checked(new Capacity(name, value.quantity(), Optional.empty()), value)));
            return List.copyOf(capacities);
        }
        var names = new HashSet<String>();
        for (Field item : found.get().items()) {
            var capacity = item(item);
            if (!names.add(capacity.name())) {
                throw item.problem("names " + capacity.name() + " a second time");
            }
            capacities.add(checked(capacity, item));
        }
        return List.copyOf(capacities);
    }

    private static Capacity item(Field item) {
        var fields = item.fields();
        var capacity = new Capacity(
                fields.require("name").text(),
                fields.require("capacity").quantity(),
                fields.find("blockSize").map(Field::quantity));
        fields.done();
        return capacity;
    }

    private static Capacity checked(Capacity capacity, Field field) {
        if (capacity.capacity().compareTo(Quantity.ZERO) < 0) {
            throw field.problem("a capacity must not be negative");
        }
        if (capacity.blockSize()
                .filter(block -> block.compareTo(Quantity.ZERO) <= 0)
                .isPresent()) {
            throw field.problem("a block size must be more than zero");
        }
        return capacity;
    }

    static void write(List<Capacity> capacities, ArrayNode array) {
        for (var capacity : capacities) {
            var json = array.addObject();
            json.put("name", capacity.name()).put("capacity", Quantities.text(capacity.capacity()));
            capacity.blockSize().ifPresent(block -> json.put("blockSize", Quantities.text(block)));
        }
    }
}
