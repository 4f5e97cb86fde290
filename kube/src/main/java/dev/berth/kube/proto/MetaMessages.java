package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.ShardInfo;

/** What every object and every list says of itself, and how others are chosen by it. */
final class MetaMessages {
    private MetaMessages() {}

    static void object(ObjectMeta metadata, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> metadata.setName(in.someText());
            case 2 -> metadata.setGenerateName(in.someText());
            case 3 -> metadata.setNamespace(in.someText());
            case 4 -> metadata.setSelfLink(in.someText());
            case 5 -> metadata.setUid(in.someText());
            case 6 -> metadata.setResourceVersion(in.someText());
            case 7 -> metadata.setGeneration(in.someNumber());
            case 8 -> metadata.setCreationTimestamp(Times.time(in));
            case 9 -> metadata.setDeletionTimestamp(Times.time(in));
            case 10 -> metadata.setDeletionGracePeriodSeconds(in.number());
            case 11 -> in.entry(metadata.getLabels());
            case 12 -> in.entry(metadata.getAnnotations());
            case 13 -> metadata.getOwnerReferences().add(in.message(new OwnerReference(), MetaMessages::owner));
            case 14 -> metadata.getFinalizers().add(in.text());
            default -> in.skip();
        }
    }

    static void owner(OwnerReference owner, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> owner.setKind(in.text());
            case 3 -> owner.setName(in.text());
            case 4 -> owner.setUid(in.text());
            case 5 -> owner.setApiVersion(in.text());
            case 6 -> owner.setController(in.flag());
            case 7 -> owner.setBlockOwnerDeletion(in.flag());
            default -> in.skip();
        }
    }

    static void list(ListMeta metadata, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> metadata.setSelfLink(in.someText());
            case 2 -> metadata.setResourceVersion(in.someText());
            case 3 -> metadata.setContinue(in.someText());
            case 4 -> metadata.setRemainingItemCount(in.number());
            case 5 -> metadata.setShardInfo(in.message(new ShardInfo(), MetaMessages::shard));
            default -> in.skip();
        }
    }

    static void shard(ShardInfo shard, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> shard.setSelector(in.text());
            default -> in.skip();
        }
    }

    static void selector(LabelSelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> in.entry(selector.getMatchLabels());
            case 2 ->
                selector.getMatchExpressions()
                        .add(in.message(new LabelSelectorRequirement(), MetaMessages::requirement));
            default -> in.skip();
        }
    }

    static void requirement(LabelSelectorRequirement requirement, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 -> requirement.setKey(in.text());
            case 2 -> requirement.setOperator(in.text());
            case 3 -> requirement.getValues().add(in.text());
            default -> in.skip();
        }
    }
}
