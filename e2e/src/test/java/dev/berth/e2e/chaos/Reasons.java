package dev.berth.e2e.chaos;

import dev.berth.e2e.server.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.util.Optional;

/** Pods that cannot be placed, and then can: what they say about it is true when all is over. */
final class Reasons {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Ground ground;
    private final Crew crew;

    Reasons(Ground ground, Crew crew) {
        this.ground = ground;
        this.crew = crew;
    }

    void areCurrent() {
        var card = "0=%s:0".formatted(ground.nodes().getFirst());
        pin("holder-0", card);
        awaitPlaced("holder-0");
        pin("waiter-0", card);
        awaitWaiting("waiter-0", "holder-0");
        claim("late-0");
        awaitWaiting("late-0", ground.lateClass());

        ground.client
                .pods()
                .inNamespace(ground.work())
                .withName("holder-0")
                .withGracePeriod(0)
                .delete();
        awaitPlaced("waiter-0");
        // Not before: the late one may have any card, the one that the first waits for among them.
        ground.addLateClass();
        awaitPlaced("late-0");
        ground.client.pods().inNamespace(ground.work()).withGracePeriod(0).delete();
    }

    private void pin(String name, String map) {
        create("""
                metadata: {name: %s, annotations: {gpu-scheduling-map: "%s"}}
                spec: {schedulerName: %s, containers: [{name: main, image: none}]}
                """.formatted(name, map, crew.scheduler(Crew.Door.PINNER)));
    }

    private void claim(String name) {
        create("""
                metadata:
                  name: %s
                  annotations: {devmgmtproto.k8s.io/device-claims: '{"deviceClaims": {"devices": [{"name": "gpu", "class": "%s"}]}}'}
                spec: {schedulerName: %s, containers: [{name: main, image: none}]}
                """.formatted(name, ground.lateClass(), crew.scheduler(Crew.Door.CLAIMS)));
    }

    private void create(String yaml) {
        var pod = ground.client.getKubernetesSerialization().unmarshal(yaml, Pod.class);
        ground.client.pods().inNamespace(ground.work()).resource(pod).create();
    }

    private void awaitWaiting(String name, String because) {
        Await.until(
                PATIENCE,
                () -> scheduled(name)
                        .filter(condition -> condition.getStatus().equals("False")
                                && String.valueOf(condition.getMessage()).contains(because))
                        .isPresent(),
                () -> "%s does not say that it waits because of %s: %s".formatted(name, because, scheduled(name)));
    }

    private void awaitPlaced(String name) {
        Await.until(
                PATIENCE,
                () -> pod(name).getSpec().getNodeName() != null
                        && scheduled(name)
                                .filter(condition -> condition.getStatus().equals("False"))
                                .isEmpty(),
                () -> "%s has no node, or says so: %s".formatted(name, scheduled(name)));
    }

    private Optional<PodCondition> scheduled(String name) {
        var conditions = pod(name).getStatus().getConditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.getType().equals("PodScheduled"))
                        .findFirst();
    }

    private Pod pod(String name) {
        return ground.client.pods().inNamespace(ground.work()).withName(name).get();
    }
}
