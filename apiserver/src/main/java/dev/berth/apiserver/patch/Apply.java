package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Schema;
import dev.berth.apiserver.patch.ManagedEntry.Owner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One server-side apply, from the request's object to the one to go on with. */
final class Apply {
    /** Holds on to the metadata when a manager that applied a label applies nothing at all. */
    private static final FieldSet NAME = nameOnly();

    private final FieldManager manager;
    private final Schema schema;
    private final Untracked untracked;
    private final Owner owner;
    private final @Nullable ObjectNode stored;
    private final ObjectNode live;
    private final ObjectNode applied;

    Apply(FieldManager manager, @Nullable ObjectNode stored, ObjectNode applied) {
        this.manager = manager;
        this.schema = manager.type().schema();
        this.untracked = Untracked.of(manager.type(), manager.subresource());
        this.owner = Owner.applying(manager.managerName(), manager.subresource());
        this.stored = stored;
        this.live = stored == null ? JsonNodeFactory.instance.objectNode() : stored.deepCopy();
        FieldManager.removeManagedFields(live);
        this.applied = applied;
    }

    ObjectNode run(boolean force) {
        AppliedObject.check(applied, manager.type());
        ManagedFields managed = managedBefore();
        FieldSet fields = untracked.filter(AppliedFields.of(applied, schema));
        Optional<ManagedEntry> last = managed.find(owner);
        ObjectNode next = pruned(TypedMerge.merge(live, applied, schema), fields, last, managed);
        settle(next, managed, force);

        boolean changed = stored == null || !Scalars.same(live, next);
        String time = changed ? manager.time() : last.map(ManagedEntry::time).orElse("");
        FieldSet mine = Untracked.withoutIdentity(fields);
        managed.put(new ManagedEntry(owner, manager.type().apiVersion(), time, mine));
        ObjectNode result = changed ? next : live;
        managed.writeTo(result);
        LastApplied.refresh(result, applied, manager);
        return result;
    }

    /** An object that was never tracked belongs to whoever came before. */
    private ManagedFields managedBefore() {
        ManagedFields managed = ManagedFields.of(stored);
        if (!managed.isEmpty() || stored == null) return managed;
        String version = manager.type().apiVersion();
        FieldSet all = untracked.filter(Difference.changed(EmptyObject.of(manager.type()), live, schema));
        managed.put(new ManagedEntry(
                Owner.updating("before-first-apply", version, manager.subresource()),
                version,
                manager.time(),
                Untracked.withoutIdentity(all)));
        return managed;
    }

    /** Takes out what this manager applied last time, does not apply now, and nobody else owns. */
    private ObjectNode pruned(ObjectNode merged, FieldSet fields, Optional<ManagedEntry> last, ManagedFields managed) {
        if (last.isEmpty()) return merged;
        FieldSet applicable = last.get().fields().withNamedParents(schema);
        FieldSet owned = fields.union(NAME);
        for (ManagedEntry entry : managed.all()) {
            if (!entry.owner().equals(owner)) owned = owned.union(entry.fields());
        }
        FieldSet present = AppliedFields.of(merged, schema).withNamedParents(schema);
        FieldSet left = fieldsOf(TypedMerge.remove(merged, applicable, schema));
        FieldSet unowned = present.minus(left.union(owned.withNamedParents(schema)));
        FieldSet keptByOwners = fieldsOf(TypedMerge.remove(merged, unowned, schema));
        return TypedMerge.remove(merged, present.minus(keptByOwners).intersect(applicable), schema);
    }

    private static FieldSet nameOnly() {
        ObjectNode tree = FieldSet.node();
        tree.putObject(PathElement.field("metadata")).putObject(PathElement.field("name"));
        return new FieldSet(tree);
    }

    private FieldSet fieldsOf(ObjectNode object) {
        return AppliedFields.of(object, schema).withNamedParents(schema);
    }

    /** Takes from the others what this apply changes, or refuses. */
    private void settle(ObjectNode next, ManagedFields managed, boolean force) {
        FieldSet changed = untracked.filter(Difference.changed(live, next, schema));
        FieldSet removed = untracked.filter(Difference.removed(live, next, schema));
        if (!force) {
            var conflict = new ApplyConflict();
            for (ManagedEntry entry : managed.all()) {
                if (!entry.owner().equals(owner)) {
                    conflict.add(entry.owner(), entry.fields().intersect(changed));
                }
            }
            ApplyConflict remaining =
                    conflict.isEmpty() ? conflict : conflict.without(LastApplied.ownedByClient(live, manager));
            if (!remaining.isEmpty()) throw remaining.toException();
        }
        FieldSet lost = changed.union(removed);
        managed.changeOthers(owner, theirs -> theirs.minus(lost));
    }
}
