package dev.berth.claims.dra.demand;

import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.Shelf;
import dev.berth.core.Taint;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of a node's devices, request by request: how many were looked at, and what removed which. Each device is
 * told of under the first thing that speaks against it, in the order in which the engine looks.
 */
public final class Inspection {
    private static final int MOST_REASONS = 6;

    private final Inventory inventory;
    private final Ledger ledger;
    private final Function<Holder, String> holders;

    /** @param holders what people call who holds a device */
    public Inspection(Inventory inventory, Ledger ledger, Function<Holder, String> holders) {
        this.inventory = inventory;
        this.ledger = ledger;
        this.holders = holders;
    }

    /** A device with the page on which it stands, and what is left there of what devices share. */
    private record Seen(Device device, Holdings page, Map<Counter, Quantity> left) {}

    /** A line for each request, and for each of its alternatives. */
    public List<String> of(NodeName node, List<Ask> asks) {
        var seen = Stream.concat(inventory.shelf(node).stream(), inventory.network().stream())
                .flatMap(this::seen)
                .filter(each -> each.device().reach().covers(node))
                .toList();
        var lines = new ArrayList<String>();
        for (var ask : asks) {
            for (var choice : ask.choices()) {
                lines.add(line(choice.name().isEmpty() ? ask.name() : ask.name() + "/" + choice.name(), choice, seen));
            }
        }
        return lines;
    }

    private Stream<Seen> seen(Shelf shelf) {
        var page = ledger.of(shelf.place());
        Map<Counter, Quantity> left = new HashMap<>(shelf.counters());
        for (var device : shelf.devices()) {
            if (!page.free(device.id())) {
                device.draws()
                        .forEach((counter, amount) -> left.computeIfPresent(counter, (_, had) -> had.minus(amount)));
            }
        }
        return shelf.devices().stream().map(device -> new Seen(device, page, left));
    }

    private String line(String request, Choice choice, List<Seen> devices) {
        SequencedMap<String, Integer> removed = new LinkedHashMap<>();
        int left = 0;
        for (var each : devices) {
            var why = against(choice, each);
            if (why.isEmpty()) {
                left++;
            } else {
                removed.merge(why.get(), 1, Integer::sum);
            }
        }
        var parts = removed.entrySet().stream()
                .limit(MOST_REASONS)
                .map(entry -> "%d removed: %s".formatted(entry.getValue(), entry.getKey()))
                .collect(Collectors.toCollection(ArrayList::new));
        int untold = removed.entrySet().stream()
                .skip(MOST_REASONS)
                .mapToInt(Map.Entry::getValue)
                .sum();
        if (untold > 0) {
            parts.add("%d removed for other reasons".formatted(untold));
        }
        parts.add("%d left".formatted(left));
        return "%s: %d looked at; %s".formatted(request, devices.size(), String.join("; ", parts));
    }

    private Optional<String> against(Choice choice, Seen seen) {
        var device = seen.device();
        return choice.filter()
                .refuses(device)
                .or(() -> taint(choice, device).map(taint -> "taint %s:%s".formatted(taint, effect(taint))))
                .or(() -> choice.admin() ? Optional.empty() : held(choice, seen).or(() -> overdrawn(seen)));
    }

    private static Optional<Taint> taint(Choice choice, Device device) {
        return device.taints().stream()
                .filter(Taint::keepsAway)
                .filter(taint -> choice.tolerations().stream().noneMatch(each -> each.tolerates(taint)))
                .findFirst();
    }

    private static String effect(Taint taint) {
        return switch (taint.effect()) {
            case NONE -> "None";
            case NO_SCHEDULE -> "NoSchedule";
            case NO_EXECUTE -> "NoExecute";
        };
    }

    private Optional<String> held(Choice choice, Seen seen) {
        var entries = seen.page().of(seen.device().id());
        if (entries.isEmpty() && !seen.device().shareable()) {
            return Optional.empty();
        }
        return seen.device().shareable() && entries.stream().allMatch(entry -> entry.share() instanceof Share.Part)
                ? tooLittle(choice, seen, entries)
                : Optional.of("held by " + names(entries));
    }

    private String names(List<Entry> entries) {
        return entries.stream()
                .map(entry -> holders.apply(entry.holder()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private Optional<String> tooLittle(Choice choice, Seen seen, List<Entry> entries) {
        Map<String, Quantity> asked = choice.draw() instanceof Draw.AtLeast(var amounts) ? amounts : Map.of();
        for (var capacity : seen.device().capacities().entrySet()) {
            var taken = capacity.getValue().taken(Optional.ofNullable(asked.get(capacity.getKey())));
            var left = left(capacity.getKey(), capacity.getValue().amount(), entries);
            if (taken.isEmpty()) {
                return Optional.of("gives %s in no such amount".formatted(capacity.getKey()));
            }
            if (taken.get().compareTo(left) > 0) {
                return Optional.of("%s %s wanted, %s left%s"
                        .formatted(
                                taken.get(),
                                capacity.getKey(),
                                left,
                                entries.isEmpty() ? "" : " beside " + names(entries)));
            }
        }
        return Optional.empty();
    }

    private static Quantity left(String capacity, Quantity amount, List<Entry> entries) {
        var left = amount;
        for (var entry : entries) {
            if (entry.share() instanceof Share.Part(var amounts)) {
                left = left.minus(amounts.getOrDefault(capacity, Quantity.ZERO));
            }
        }
        return left;
    }

    private static Optional<String> overdrawn(Seen seen) {
        if (!seen.page().free(seen.device().id())) {
            // What a device in parts draws, it draws already.
            return Optional.empty();
        }
        return seen.device().draws().entrySet().stream()
                .filter(draw ->
                        seen.left().getOrDefault(draw.getKey(), Quantity.ZERO).compareTo(draw.getValue()) < 0)
                .map(draw -> "counter %s: %s wanted, %s left"
                        .formatted(
                                draw.getKey().name(),
                                draw.getValue(),
                                seen.left().getOrDefault(draw.getKey(), Quantity.ZERO)))
                .sorted()
                .findFirst();
    }
}
