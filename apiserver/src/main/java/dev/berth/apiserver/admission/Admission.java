package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asked before every write; refuses by throwing an {@link dev.berth.apiserver.status.ApiException}. */
public interface Admission {
    /**
     * Lets the built-in plugins and the mutating webhooks change the object.
     *
     * @param object the object as it would be stored; null for deletions
     * @param warnings takes what goes to the client as Warning headers
     * @return the object to go on with: the same one changed in place, or another
     */
    @Nullable
    ObjectNode mutate(AdmissionAttributes attributes, @Nullable ObjectNode object, Consumer<String> warnings);

    /** Lets the built-in plugins and the validating webhooks refuse the object as it would be stored. */
    void validate(AdmissionAttributes attributes, @Nullable ObjectNode object, Consumer<String> warnings);
}
