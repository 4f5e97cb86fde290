package dev.berth.e2e.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The real control plane: etcd and kube-apiserver with RBAC. It authenticates by token and makes its own throw-away
 * certificates. Controllers and a scheduler are started beside it where a test asks for them.
 */
public final class ControlPlane implements Cluster {
    private static final Duration START = Duration.ofSeconds(90);
    private static final String TOKEN = "admin-token";
    /** Each of several runs side by side has cluster addresses of its own on loopback: 127.96.0.0/24, 127.97.0.0/24. */
    private static final int SERVICES = 95;

    private final Programs programs;
    private final Path directory;
    private final int etcdPort = Ports.free();
    private final URI address = URI.create("https://127.0.0.1:" + Ports.free());
    private final GuardedProcess etcd;
    private final GuardedProcess apiserver;
    private final HttpClient http;
    private final Path kubeconfig;

    private ControlPlane(Programs programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
        writeSecrets();
        etcd = startEtcd();
        apiserver = startApiServer();
        var certificate = directory.resolve("certs/apiserver.crt");
        // Written after the certificate: whoever reads that before may read half of it.
        var key = directory.resolve("certs/apiserver.key");
        Await.until(START, () -> Files.exists(key) || !apiserver.alive(), apiserver::lastWords);
        if (!apiserver.alive()) throw new IllegalStateException("kube-apiserver ended: " + apiserver.lastWords());
        http = Https.trusting(certificate);
        kubeconfig = Kubeconfig.write(
                directory.resolve("kubeconfig"), address, Optional.of(certificate), Optional.of(TOKEN));
        Await.until(START, this::ready, apiserver::lastWords);
    }

    /** Starts it with its logs and files in the given directory. */
    public static ControlPlane start(Programs programs, Path directory) {
        try {
            Files.createDirectories(directory);
            return new ControlPlane(programs, Files.createTempDirectory(directory, "run-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private GuardedProcess startEtcd() {
        var client = "http://127.0.0.1:" + etcdPort;
        var peer = "http://127.0.0.1:" + Ports.free();
        return GuardedProcess.start(
                List.of(
                        programs.path("etcd"),
                        "--data-dir=" + directory.resolve("etcd"),
                        "--unsafe-no-fsync",
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer,
                        "--log-level=error"),
                directory.resolve("etcd.log"));
    }

    private GuardedProcess startApiServer() {
        return GuardedProcess.start(
                List.of(
                        programs.path("kube-apiserver"),
                        "--etcd-servers=http://127.0.0.1:" + etcdPort,
                        "--bind-address=127.0.0.1",
                        "--secure-port=" + address.getPort(),
                        "--cert-dir=" + directory.resolve("certs"),
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + directory.resolve("sa.key"),
                        "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                        // Cluster addresses on loopback: webhooks by Service work without kube-proxy.
                        "--service-cluster-ip-range=127.%d.0.0/24".formatted(SERVICES + E2eFolder.fork()),
                        "--token-auth-file=" + directory.resolve("tokens.csv"),
                        "--authorization-mode=RBAC",
                        "--disable-admission-plugins=ServiceAccount",
                        // With it, versions that etcd has forgotten are still served from memory: nothing would expire.
                        // Attributes of devices that are lists are not on by default in this version, nor are rules
                        // that
                        // taint devices.
                        "--feature-gates=ListFromCacheSnapshot=false,DRAListTypeAttributes=true,DRADeviceTaintRules=true",
                        "--runtime-config=resource.k8s.io/v1beta2/devicetaintrules=true",
                        "--allow-privileged=true"),
                directory.resolve("kube-apiserver.log"));
    }

    private void writeSecrets() {
        try {
            var keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            var key = keys.generateKeyPair().getPrivate().getEncoded();
            Files.writeString(
                    directory.resolve("sa.key"),
                    "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                            .formatted(Base64.getMimeEncoder(64, "\n".getBytes(UTF_8))
                                    .encodeToString(key)));
            Files.writeString(directory.resolve("tokens.csv"), """
                    %s,admin,admin-uid,"system:masters"
                    stranger-token,stranger,stranger-uid
                    """.formatted(TOKEN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean ready() {
        if (!apiserver.alive() || !etcd.alive()) {
            throw new IllegalStateException("the control plane ended: " + apiserver.lastWords());
        }
        try {
            return send(HttpRequest.newBuilder(address.resolve("/readyz"))) == 200
                    // Made by the server itself a moment after it is ready.
                    && send(HttpRequest.newBuilder(address.resolve("/api/v1/namespaces/kube-node-lease"))) == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Forgets the history of all changes so far, as a real cluster does every few minutes. */
    public void compact(long revision) {
        var body = "{\"revision\":\"%d\",\"physical\":true}".formatted(revision);
        try {
            var code = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + etcdPort + "/v3/kv/compaction"))
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
            if (code != 200) throw new IllegalStateException("etcd did not compact: " + code);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(
                            request.header("Authorization", "Bearer " + TOKEN)
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Programs programs() {
        return programs;
    }

    @Override
    public String name() {
        return "real";
    }

    @Override
    public URI address() {
        return address;
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public HttpClient http() {
        return http;
    }

    @Override
    public Optional<String> token() {
        return Optional.of(TOKEN);
    }

    @Override
    public void close() {
        http.shutdownNow();
        apiserver.close();
        etcd.close();
    }
}
