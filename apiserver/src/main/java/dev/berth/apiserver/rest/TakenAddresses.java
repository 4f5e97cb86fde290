package dev.berth.apiserver.rest;

import dev.berth.apiserver.store.Store;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** Which cluster addresses the stored services have: those of a former run, too. */
public record TakenAddresses(Store store) implements Predicate<String> {
    private static final String SERVICES = "services";
    private static final int ADDRESS = SelectableFields.ofTable(SERVICES).indexOf("spec.clusterIP");

    @Override
    public boolean test(String address) {
        var found = new AtomicBoolean();
        store.snapshot(store.table(SERVICES)).visit("", "", (_, service) -> {
            found.set(service.facts().fields().get(ADDRESS).equals(address));
            return !found.get();
        });
        return found.get();
    }
}
