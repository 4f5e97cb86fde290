package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.cel.InvalidSelectorException;
import dev.berth.claims.dra.cel.Selector;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.Quantity;
import dev.berth.core.Taint;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Draw;
import dev.berth.core.demand.Toleration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Collects what the claims of one pod ask for: an ask a request, a choice a sub-request. */
final class ClaimDemand {
    /** How many devices one claim can get. */
    static final int MOST_DEVICES = 32;

    private final Function<String, Optional<DeviceClass>> classes;
    private final boolean alone;
    private final List<Ask> asks = new ArrayList<>();
    private final List<Constraint> constraints = new ArrayList<>();

    /** The asks so far, each with the claim that it is of and whether it only looks after devices. */
    private final Map<String, Asker> askers = new LinkedHashMap<>();

    private record Asker(String use, boolean admin) {}

    /** @param alone whether the pod has one claim only, so that its name goes without saying */
    ClaimDemand(Function<String, Optional<DeviceClass>> classes, boolean alone) {
        this.classes = classes;
        this.alone = alone;
    }

    List<Ask> asks() {
        return asks;
    }

    List<Constraint> constraints() {
        return constraints;
    }

    /** Adds a claim that has no devices yet. */
    PlannedClaim add(String use, ResourceClaim claim) throws UnusableClaimException {
        Map<String, List<Request>> byAsk = new LinkedHashMap<>();
        Map<String, String> askNames = new HashMap<>();
        var devices = claim.getSpec().getDevices();
        if (devices == null) {
            return new PlannedClaim(use, claim, Map.of());
        }
        for (var written : Given.list(devices.getRequests())) {
            var ways = Request.of(written);
            String ask = alone ? written.getName() : use + "." + written.getName();
            List<Choice> choices = new ArrayList<>();
            for (var way : ways) {
                choices.add(choice(way));
            }
            asks.add(new Ask(ask, choices));
            byAsk.put(ask, ways);
            askNames.put(written.getName(), ask);
            keepApart(use, ask, ways.getFirst().admin());
        }
        limit(claim, byAsk);
        for (var constraint : Given.list(devices.getConstraints())) {
            constraint(constraint, askNames, byAsk.keySet()).ifPresent(constraints::add);
        }
        return new PlannedClaim(use, claim, byAsk);
    }

    private Choice choice(Request request) throws UnusableClaimException {
        if (request.className().isEmpty()) {
            throw new UnusableClaimException(
                    "request %s: missing device class name (unsupported request type?)".formatted(request.fullName()));
        }
        var deviceClass = classes.apply(request.className())
                .orElseThrow(() -> new UnusableClaimException("request %s: device class %s does not exist"
                        .formatted(request.fullName(), request.className())));
        var filter = new RequestFilter(
                request.className(),
                selectors(
                        "class " + request.className(),
                        Given.list(deviceClass.getSpec().getSelectors())),
                selectors("request " + request.fullName(), request.selectors()));
        Map<String, Quantity> amounts = new HashMap<>();
        request.capacity().forEach((name, amount) -> amounts.put(name, SliceDevice.quantity(amount)));
        var choice = Choice.of(filter, count(request))
                .named(request.sub())
                .drawing(new Draw.AtLeast(amounts))
                .tolerating(tolerations(request.tolerations()));
        return request.admin() ? choice.asAdmin() : choice;
    }

    static List<Selector> selectors(String whose, List<DeviceSelector> written) throws UnusableClaimException {
        List<Selector> selectors = new ArrayList<>();
        for (int index = 0; index < written.size(); index++) {
            var cel = written.get(index).getCel();
            if (cel == null) {
                throw new UnusableClaimException(
                        "%s, selector #%d: CEL expression empty (unsupported selector type?)".formatted(whose, index));
            }
            try {
                selectors.add(Selector.of(Given.text(cel.getExpression())));
            } catch (InvalidSelectorException invalid) {
                throw new UnusableClaimException("%s: selector #%d: %s".formatted(whose, index, invalid.getMessage()));
            }
        }
        return selectors;
    }

    private static Count count(Request request) throws UnusableClaimException {
        return switch (request.mode()) {
            case Request.EXACT_COUNT -> {
                if (request.count() < 0) {
                    throw new UnusableClaimException(
                            "request %s: a count of %d".formatted(request.fullName(), request.count()));
                }
                yield new Count.Exactly((int) Math.min(request.count(), Integer.MAX_VALUE));
            }
            case Request.ALL -> Count.ALL;
            default ->
                throw new UnusableClaimException(
                        "request %s: unsupported count mode %s".formatted(request.fullName(), request.mode()));
        };
    }

    private static List<Toleration> tolerations(List<DeviceToleration> written) {
        return written.stream().flatMap(each -> toleration(each).stream()).toList();
    }

    /** One with an operator or an effect that is not known tolerates nothing. */
    private static Optional<Toleration> toleration(DeviceToleration written) {
        var key = Optional.of(Given.text(written.getKey())).filter(text -> !text.isEmpty());
        Optional<Taint.Effect> effect;
        switch (Given.text(written.getEffect())) {
            case "" -> effect = Optional.empty();
            case "None" -> effect = Optional.of(Taint.Effect.NONE);
            case "NoSchedule" -> effect = Optional.of(Taint.Effect.NO_SCHEDULE);
            case "NoExecute" -> effect = Optional.of(Taint.Effect.NO_EXECUTE);
            default -> {
                return Optional.empty();
            }
        }
        return switch (Given.text(written.getOperator())) {
            case "", "Equal" -> Optional.of(new Toleration(key, Optional.of(Given.text(written.getValue())), effect));
            case "Exists" -> Optional.of(new Toleration(key, Optional.empty(), effect));
            default -> Optional.empty();
        };
    }

    /**
     * A device that one request of a claim looks after is not given to another request of it, and not to a later
     * request of another claim that wants to hold it: so kube-scheduler has it.
     */
    private void keepApart(String use, String ask, boolean admin) {
        askers.forEach((earlier, asker) -> {
            boolean same = asker.use().equals(use);
            if ((asker.admin() && (same || !admin)) || (admin && same)) {
                constraints.add(new Constraint.Apart(Set.of(earlier, ask)));
            }
        });
        askers.put(ask, new Asker(use, admin));
    }

    private void limit(ResourceClaim claim, Map<String, List<Request>> byAsk) throws UnusableClaimException {
        long least = 0;
        long most = 0;
        for (var ways : byAsk.values()) {
            least += ways.stream()
                    .mapToLong(way -> way.mode().equals(Request.ALL) ? 1 : way.count())
                    .min()
                    .orElse(0);
            most += ways.stream()
                    .mapToLong(way -> way.mode().equals(Request.ALL) ? Integer.MAX_VALUE : way.count())
                    .max()
                    .orElse(0);
        }
        if (least > MOST_DEVICES) {
            throw new UnusableClaimException("claim %s: number of requested devices %d exceeds the claim limit of %d"
                    .formatted(claim.getMetadata().getName(), least, MOST_DEVICES));
        }
        if (most > MOST_DEVICES) {
            constraints.add(new Constraint.AtMost(MOST_DEVICES, byAsk.keySet()));
        }
    }

    /** Nothing for one that speaks of requests only that the claim does not have. */
    private static Optional<Constraint> constraint(
            DeviceConstraint written, Map<String, String> askNames, Set<String> all) throws UnusableClaimException {
        Set<String> asks = new HashSet<>();
        for (String named : Given.list(written.getRequests())) {
            int slash = named.indexOf('/');
            String request = slash < 0 ? named : named.substring(0, slash);
            String ask = askNames.get(request);
            if (ask != null) {
                asks.add(slash < 0 ? ask : ask + named.substring(slash));
            }
        }
        if (Given.list(written.getRequests()).isEmpty()) {
            asks.addAll(all);
        }
        if (!Given.text(written.getMatchAttribute()).isEmpty()) {
            return asks.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Constraint.Same(written.getMatchAttribute(), asks));
        }
        if (!Given.text(written.getDistinctAttribute()).isEmpty()) {
            return asks.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Constraint.Distinct(written.getDistinctAttribute(), asks));
        }
        throw new UnusableClaimException("empty constraint (unsupported constraint type?)");
    }
}
