package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The unmodified programs that work beside an API server, whichever of the two it is. */
public final class Companions {
    private Companions() {}

    /**
     * kube-controller-manager with the controllers that the embedded server has too; more of them would write into the
     * namespaces of the tests. Its own throttle of 20 requests a second is lifted.
     */
    public static GuardedProcess controllers(Programs programs, Cluster cluster, Path directory) {
        return GuardedProcess.start(
                List.of(
                        programs.path("kube-controller-manager"),
                        "--kubeconfig=" + cluster.kubeconfig(),
                        "--controllers=deployment-controller,replicaset-controller,statefulset-controller,job-controller,"
                                + "garbage-collector-controller,namespace-controller,resourceclaim-controller",
                        "--leader-elect=false",
                        "--secure-port=0",
                        "--kube-api-qps=1000",
                        "--kube-api-burst=1000"),
                directory.resolve("kube-controller-manager.log"));
    }

    /** kube-scheduler, speaking JSON, because the embedded server does not speak protobuf. */
    public static GuardedProcess scheduler(Programs programs, Cluster cluster, Path directory) {
        return scheduler(programs, cluster, directory, "");
    }

    /** The same with more of its configuration: profiles, extenders. */
    public static GuardedProcess scheduler(Programs programs, Cluster cluster, Path directory, String more) {
        try {
            Files.createDirectories(directory);
            var config = Files.writeString(
                    directory.resolve("kube-scheduler.yaml"), """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    leaderElection: {leaderElect: false}
                    clientConnection:
                      kubeconfig: %s
                      contentType: application/json
                      qps: 1000
                      burst: 1000
                    %s
                    """.formatted(cluster.kubeconfig(), more));
            return GuardedProcess.start(
                    List.of(programs.path("kube-scheduler"), "--config=" + config, "--secure-port=0"),
                    directory.resolve("kube-scheduler.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
