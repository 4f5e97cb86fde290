package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Taint;

/** Nodes: what they offer, and to whom. */
final class NodeMessages {
    private NodeMessages() {}

    static void node(Node node, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> node.setMetadata(in.message(new ObjectMeta(), MetaMessages::object));
            case 2 -> node.setSpec(in.message(new NodeSpec(), NodeMessages::spec));
            case 3 -> node.setStatus(in.message(new NodeStatus(), NodeMessages::status));
            default -> in.skip();
        }
    }

    static void spec(NodeSpec spec, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> spec.setPodCIDR(in.someText());
            case 2 -> spec.setExternalID(in.someText());
            case 3 -> spec.setProviderID(in.someText());
            case 4 -> spec.setUnschedulable(in.someFlag());
            case 5 -> spec.getTaints().add(in.message(new Taint(), NodeMessages::taint));
            default -> in.skip();
        }
    }

    static void taint(Taint taint, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> taint.setKey(in.text());
            case 2 -> taint.setValue(in.someText());
            case 3 -> taint.setEffect(in.text());
            case 4 -> taint.setTimeAdded(Times.time(in));
            default -> in.skip();
        }
    }

    static void status(NodeStatus status, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> ResourceMessages.quantity(status.getCapacity(), in);
            case 2 -> ResourceMessages.quantity(status.getAllocatable(), in);
            case 3 -> status.setPhase(in.someText());
            case 4 -> status.getConditions().add(in.message(new NodeCondition(), NodeMessages::condition));
            default -> in.skip();
        }
    }

    static void condition(NodeCondition condition, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> condition.setType(in.text());
            case 2 -> condition.setStatus(in.text());
            case 3 -> condition.setLastHeartbeatTime(Times.time(in));
            case 4 -> condition.setLastTransitionTime(Times.time(in));
            case 5 -> condition.setReason(in.someText());
            case 6 -> condition.setMessage(in.someText());
            default -> in.skip();
        }
    }
}
