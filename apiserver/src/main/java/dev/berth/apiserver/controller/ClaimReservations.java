package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.util.Optional;

/** Takes pods that are over out of the claims that they used; with the last one a claim's devices are free again. */
final class ClaimReservations implements Controller {
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror claims;

    ClaimReservations(Cluster cluster) {
        this.cluster = cluster;
        this.claims = cluster.mirror(Resources.CLAIMS);
        claims.follow((_, now) -> {
            if (now != null && (Fields.deleting(now) || !reserved(now).isEmpty())) queue.add(Key.of(now));
        });
        cluster.mirror(Resources.PODS).follow((before, now) -> {
            if (now == null && before != null) ended(before);
            else if (now != null && Pods.finished(now)) ended(now);
        });
    }

    private void ended(ObjectNode pod) {
        for (ObjectNode claim : claims.all()) {
            if (!Fields.namespace(claim).equals(Fields.namespace(pod))) continue;
            for (JsonNode consumer : reserved(claim)) {
                if (consumer.path("uid").asText().equals(Fields.uid(pod))) queue.add(Key.of(claim));
            }
        }
    }

    private static JsonNode reserved(JsonNode claim) {
        return claim.path("status").path("reservedFor");
    }

    @Override
    public String name() {
        return "resourceclaim-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode claim = claims.get(key).orElse(null);
        if (claim == null) return Optional.empty();
        boolean shorter = remaining(claim).size() < reserved(claim).size();
        boolean unused = Fields.deleting(claim) && reserved(claim).isEmpty();
        if (!shorter && !unused) return Optional.empty();
        cluster.modifyStatus(Resources.CLAIMS, claim, this::release)
                .filter(live -> live.path("status").path("allocation").isMissingNode())
                .ifPresent(live ->
                        cluster.modify(Resources.CLAIMS, live, each -> Fields.removeFinalizer(each, FINALIZER)));
        return Optional.empty();
    }

    private boolean release(ObjectNode claim) {
        ArrayNode remaining = remaining(claim);
        boolean frees = remaining.isEmpty() && claim.path("status").has("allocation");
        if (remaining.size() == reserved(claim).size() && !frees) return false;
        ObjectNode status = claim.withObjectProperty("status");
        if (remaining.isEmpty()) {
            status.remove("reservedFor");
            status.remove("allocation");
            status.remove("devices");
        } else {
            status.set("reservedFor", remaining);
        }
        return true;
    }

    /** Those who still use it: the server is asked itself, since a mirror may not know of a pod yet. */
    private ArrayNode remaining(ObjectNode claim) {
        var remaining = JsonNodeFactory.instance.arrayNode();
        for (JsonNode consumer : reserved(claim)) {
            if (!consumer.path("resource").asText().equals("pods") || uses(claim, consumer)) remaining.add(consumer);
        }
        return remaining;
    }

    private boolean uses(ObjectNode claim, JsonNode consumer) {
        return cluster.api()
                .get(
                        Resources.PODS,
                        Fields.namespace(claim),
                        consumer.path("name").asText())
                .filter(pod -> Fields.uid(pod).equals(consumer.path("uid").asText()) && !Pods.finished(pod))
                .isPresent();
    }
}
