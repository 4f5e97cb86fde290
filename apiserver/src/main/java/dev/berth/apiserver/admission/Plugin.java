package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** One built-in admission plugin, named and behaving as in kube-apiserver. */
interface Plugin {
    /** May change the object in place. */
    default void admit(AdmissionAttributes attributes, @Nullable ObjectNode object) {}

    default void validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {}
}
