package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.User;
import dev.berth.apiserver.kinds.Decoder.Strictness;
import java.util.function.Consumer;

/**
 * Who makes a write and how.
 *
 * @param manager the name that goes into managedFields
 * @param strictness what becomes of fields that the kind does not have
 * @param options as a webhook is shown them
 * @param warnings takes what goes to the client as Warning headers
 */
record Call(
        User user,
        boolean dryRun,
        String manager,
        Strictness strictness,
        ObjectNode options,
        Consumer<String> warnings) {

    Call asDryRun() {
        return new Call(user, true, manager, strictness, options, warnings);
    }

    /** A write by a part of this server. */
    static Call internal(String component) {
        return new Call(
                User.system(component),
                false,
                component,
                Strictness.IGNORE,
                JsonNodeFactory.instance.objectNode(),
                _ -> {});
    }
}
