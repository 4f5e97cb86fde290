package dev.berth.kube;

import io.fabric8.kubernetes.api.model.ObjectMeta;

/** Metadata of objects that are written, without the builders of the model, whose classes every door would have. */
public final class Metadata {
    private Metadata() {}

    public static ObjectMeta named(String name) {
        var metadata = new ObjectMeta();
        metadata.setName(name);
        return metadata;
    }

    /** With all that Berth or anybody else may have put there. */
    public static ObjectMeta copy(ObjectMeta metadata) {
        var copy = named(metadata.getName());
        copy.setNamespace(metadata.getNamespace());
        copy.setGenerateName(metadata.getGenerateName());
        copy.setUid(metadata.getUid());
        copy.setResourceVersion(metadata.getResourceVersion());
        copy.setGeneration(metadata.getGeneration());
        copy.setCreationTimestamp(metadata.getCreationTimestamp());
        copy.setDeletionTimestamp(metadata.getDeletionTimestamp());
        copy.setDeletionGracePeriodSeconds(metadata.getDeletionGracePeriodSeconds());
        copy.setLabels(metadata.getLabels());
        copy.setAnnotations(metadata.getAnnotations());
        copy.setFinalizers(metadata.getFinalizers());
        copy.setOwnerReferences(metadata.getOwnerReferences());
        copy.setManagedFields(metadata.getManagedFields());
        copy.setAdditionalProperties(metadata.getAdditionalProperties());
        return copy;
    }
}
