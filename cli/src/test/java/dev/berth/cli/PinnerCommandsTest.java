package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinnerCommandsTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "pinner");

    @TempDir
    private Path directory = Path.of(".");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private String example(String name) {
        return EXAMPLES.resolve(name).toString();
    }

    private String file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "manifest", ".yaml"), text)
                .toString();
    }

    @Test
    void aNamespaceOfNoServiceIsRefused() {
        assertThat(berth("pinner", "webhook", "--service-namespace", "gpu")).isEqualTo(2);
        assertThat(err.toString()).contains("--service-namespace", "need --self-signed and --service");
    }

    @Test
    void lintSaysWhereEachReplicaWouldGo() {
        int exit = berth("pinner", "lint", example("statefulset.yaml"), "--nodes", example("nodes.yaml"));

        assertThat(out.toString()).isEqualToNormalizingNewlines("""
                        REPLICA          NODE      GPUS    RESULT
                        gpu-workload-0   worker1   0,1     bound
                        gpu-workload-1   worker2   2       bound
                        gpu-workload-2   worker3   0,1,2   bound
                        gpu-workload-3   worker4   3       bound
                        gpu-workload-4   worker4   3       bound
                        """);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "line 5 '4=node4:3': GPU 3 of node4 is also given to replica 3: both share it\n");
        assertThat(exit).isZero();
    }

    @Test
    void lintOfAnExclusiveSchedulerRefusesAGpuForTwo() {
        int exit =
                berth("pinner", "lint", example("statefulset.yaml"), "--nodes", example("nodes.yaml"), "--exclusive");

        assertThat(out.toString()).contains("waits: gpu-scheduling-map sends replica 4 to worker4: GPU 3 is held by");
        assertThat(exit).isEqualTo(1);
    }

    @Test
    void lintNamesWhatIsWrong() throws IOException {
        var manifest = file("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: app}
                spec:
                  replicas: 4
                  ordinals: {start: 1}
                  template:
                    metadata:
                      annotations:
                        gpu-scheduling-map: "1=node1:0\\n2=nowhere:0\\n3=node2:9\\nx=node1:1"
                    spec: {schedulerName: gpu-scheduler, containers: [{name: a, image: b}]}
                """);

        int exit = berth("pinner", "lint", manifest, "--nodes", example("nodes.yaml"));

        assertThat(out.toString())
                .contains("app-1     worker1   0")
                .contains("waits: gpu-scheduling-map sends replica 2 to nowhere: no node has the label")
                .contains(
                        "waits: gpu-scheduling-map sends replica 3 to node2 (worker2): there is no GPU 9: it has 0 to 3")
                .contains("waits: gpu-scheduling-map has no line for replica 4, only for 1-3");
        assertThat(err.toString()).contains("line 4 'x=node1:1': 'x' is not the number of a replica");
        assertThat(exit).isEqualTo(1);
    }

    @Test
    void lintOfADeploymentSaysThatItHasNoReplicasToName() throws IOException {
        var manifest = file("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: app}
                spec:
                  template:
                    metadata: {annotations: {gpu-scheduling-map: "0=node1:0"}}
                    spec: {containers: [{name: a, image: b}]}
                """);

        assertThat(berth("pinner", "lint", manifest, "--nodes", example("nodes.yaml")))
                .isEqualTo(1);
        assertThat(out.toString()).contains("waits: the pod is no replica that gpu-scheduling-map could name");
    }

    @Test
    void lintSaysWhenAnotherSchedulerIsNamed() throws IOException {
        var manifest = file("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: app}
                spec:
                  template:
                    metadata: {annotations: {gpu-scheduling-map: "0=node1:0"}}
                    spec: {containers: [{name: a, image: b}]}
                """);

        int exit = berth("pinner", "lint", manifest, "--nodes", example("nodes.yaml"));

        assertThat(out.toString()).contains("ignored: its schedulerName is default-scheduler, not gpu-scheduler");
        assertThat(exit).isEqualTo(1);
        assertThat(berth("pinner", "lint", manifest, "--nodes", example("nodes.yaml"), "--name", "default-scheduler"))
                .isZero();
    }

    @Test
    void aSchedulerHasAName() {
        assertThat(berth("pinner", "lint", example("statefulset.yaml"), "--nodes", example("nodes.yaml"), "--name", ""))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--name is empty");
    }

    @Test
    void inputThatCannotBeUsedIsExitCodeTwo() throws IOException {
        assertThat(berth("pinner", "lint", "absent.yaml", "--nodes", example("nodes.yaml")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no file absent.yaml");
        assertThat(berth("pinner", "lint", file("a: [b"), "--nodes", example("nodes.yaml")))
                .isEqualTo(2);
        assertThat(berth("pinner", "lint", example("nodes.yaml"), "--nodes", example("nodes.yaml")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no pod and no workload");
        assertThat(berth("pinner", "lint", example("statefulset.yaml"), "--nodes", example("statefulset.yaml")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no Node in");
        var typed = file("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: 3}}");
        assertThat(berth("pinner", "lint", typed, "--nodes", example("nodes.yaml")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("Pod a: ");
    }

    @Test
    void flagsThatDoNotGoTogetherAreExitCodeTwo() {
        assertThat(berth("pinner", "webhook", "--insecure-http", "--self-signed"))
                .isEqualTo(2);
        assertThat(berth("pinner", "webhook", "--insecure-http", "--service", "x"))
                .isEqualTo(2);
        assertThat(berth("pinner", "scheduler", "--health-port", "many")).isEqualTo(2);
    }

    @Test
    void theDocumentsCertificateFilesAreWritten() throws IOException {
        var certs = directory.resolve("certs");
        int exit = berth(
                "certs",
                "--service=gpu-scheduler-webhook",
                "--namespace=gpu-scheduler-system",
                "--secret=gpu-scheduler-webhook-tls",
                "--out=" + certs);

        assertThat(exit).as(err.toString()).isZero();
        assertThat(certs)
                .isDirectoryContaining("glob:**ca.key")
                .isDirectoryContaining("glob:**ca.crt")
                .isDirectoryContaining("glob:**tls.key")
                .isDirectoryContaining("glob:**tls.crt")
                .isDirectoryContaining("glob:**csr.conf");
        assertThat(certs.resolve("csr.conf"))
                .content()
                .contains("gpu-scheduler-webhook.gpu-scheduler-system.svc.cluster.local");
        assertThat(certs.resolve("webhook-tls-secret.yaml"))
                .content()
                .startsWith("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: gpu-scheduler-system\n---\n")
                .contains("name: gpu-scheduler-webhook-tls", "type: kubernetes.io/tls", "tls.crt: LS0t");
        assertThat(out.toString()).contains("kubectl apply -f", "CA bundle: LS0t");
    }
}
