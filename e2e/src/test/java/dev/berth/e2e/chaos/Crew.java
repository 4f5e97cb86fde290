package dev.berth.e2e.chaos;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Replicas of every door that places pods, each a process, each behind a proxy in which the monkey sits. */
final class Crew implements AutoCloseable {
    /** A door, and what it says in its log when it has begun. */
    enum Door {
        ASSIGNER("listening"),
        EXTENDER("listening"),
        PINNER("listening"),
        CLAIMS("listening");

        private final String begun;

        Door(String begun) {
            this.begun = begun;
        }
    }

    private static final int MOST_STARTS = 20;

    private final Ground ground;
    private final FaultProxy proxy;
    private final List<Member> members = new ArrayList<>();

    /** One replica, through all its lives. */
    final class Member {
        private final Door door;
        private final int number;
        private volatile int port;
        private volatile Optional<GuardedProcess> process = Optional.empty();
        private int lives;

        private Member(Door door, int number) {
            this.door = door;
            this.number = number;
        }

        Door door() {
            return door;
        }

        int port() {
            return port;
        }

        /** Again and again, as a kubelet does it: one that cannot reach the API server may give up. */
        void start() {
            while (true) {
                try {
                    startOnce();
                    return;
                } catch (AssertionError gaveUp) {
                    if (lives % MOST_STARTS == 0) throw gaveUp;
                }
            }
        }

        private void startOnce() {
            port = Ports.free();
            lives++;
            var log = E2eFolder.target(
                    "chaos/%s-%s-%s-%d-%d.log".formatted(ground.cluster.name(), ground.id(), door, number, lives));
            process = Optional.of(BerthProcess.start(log, door.begun, arguments()));
        }

        private String[] arguments() {
            var kubeconfig = "--kubeconfig=" + proxy.kubeconfig();
            var address = "--bind-address=127.0.0.1";
            return switch (door) {
                case ASSIGNER ->
                    new String[] {
                        "assigner",
                        kubeconfig,
                        address,
                        "--insecure-http",
                        "--port=" + port,
                        "--ui-port=" + Ports.free(),
                        "--claims-namespace=" + ground.leases(),
                        "--log-level=info"
                    };
                case EXTENDER ->
                    new String[] {
                        "extender", kubeconfig, "--address=127.0.0.1:" + port, "--pprofAddress=127.0.0.1:0", "--v=2"
                    };
                case PINNER ->
                    new String[] {
                        "pinner",
                        "scheduler",
                        kubeconfig,
                        address,
                        "--name=" + scheduler(Door.PINNER),
                        "--health-port=" + port
                    };
                case CLAIMS ->
                    new String[] {
                        "claims",
                        "scheduler",
                        kubeconfig,
                        address,
                        "--scheduler-name=" + scheduler(Door.CLAIMS),
                        "--lease-namespace=" + ground.leases(),
                        "--port=" + port
                    };
            };
        }

        /** Ends it, with a word of warning or without, and starts it again. */
        void replace(boolean warned) {
            process.ifPresent(running -> {
                if (warned) running.close();
                else running.kill();
            });
            start();
        }

        String lastWords() {
            return "%s-%d: %s"
                    .formatted(
                            door, number, process.map(GuardedProcess::lastWords).orElse("never started"));
        }
    }

    Crew(Ground ground, Cluster cluster, Monkey monkey, int replicas) {
        this.ground = ground;
        this.proxy = FaultProxy.start(cluster);
        for (var door : Door.values()) {
            for (int number = 0; number < replicas; number++) {
                members.add(new Member(door, number));
            }
        }
        // They come up in peace: what is tried here is their work.
        members.forEach(Member::start);
        proxy.plan(monkey::fault);
    }

    String scheduler(Door door) {
        return "%s-%s".formatted(ground.id(), door.name().toLowerCase(Locale.ROOT));
    }

    List<Member> members() {
        return members;
    }

    /** One of a door's replicas; not always one that is alive. */
    Member any(Door door, int draw) {
        var all = members.stream().filter(each -> each.door() == door).toList();
        return all.get(Math.floorMod(draw, all.size()));
    }

    void cutWatches() {
        proxy.cutWatches();
    }

    String lastWords() {
        return String.join("\n\n", members.stream().map(Member::lastWords).toList());
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.ifPresent(GuardedProcess::close));
        proxy.close();
    }
}
