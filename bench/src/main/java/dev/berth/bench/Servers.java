package dev.berth.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the two servers of a race, each in processes of its own. */
final class Servers {
    static final String TOKEN = "race-token";

    private Servers() {}

    /** kube-apiserver over an etcd that does not wait for the disk, since the embedded server has none. */
    static Target real(Path binaries, Path folder) throws IOException {
        Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,admin,\"system:masters\"\n");
        Files.writeString(folder.resolve("accounts.key"), privateKey());
        int client = freePort();
        int peer = freePort();
        int port = freePort();
        String etcd = "http://127.0.0.1:" + client;
        String member = "http://127.0.0.1:" + peer;
        Map<String, Process> processes = new LinkedHashMap<>();
        processes.put(
                "etcd",
                start(
                        folder.resolve("etcd.log"),
                        folder,
                        List.of(
                                binaries.resolve("etcd").toString(),
                                "--data-dir=" + folder.resolve("etcd"),
                                "--unsafe-no-fsync",
                                "--listen-client-urls=" + etcd,
                                "--advertise-client-urls=" + etcd,
                                "--listen-peer-urls=" + member,
                                "--initial-advertise-peer-urls=" + member,
                                "--initial-cluster=default=" + member,
                                "--log-level=error")));
        processes.put(
                "kube-apiserver",
                start(
                        folder.resolve("kube-apiserver.log"),
                        folder,
                        List.of(
                                binaries.resolve("kube-apiserver").toString(),
                                "--etcd-servers=" + etcd,
                                "--secure-port=" + port,
                                "--bind-address=127.0.0.1",
                                "--cert-dir=" + folder.resolve("certificates"),
                                "--service-account-issuer=https://kubernetes.default.svc",
                                "--service-account-key-file=accounts.key",
                                "--service-account-signing-key-file=accounts.key",
                                "--service-cluster-ip-range=10.96.0.0/24",
                                "--token-auth-file=tokens.csv",
                                "--authorization-mode=RBAC",
                                "--disable-admission-plugins=ServiceAccount")));
        return new Target("kube-apiserver", URI.create("https://127.0.0.1:" + port), TOKEN, processes);
    }

    /**
     * The embedded server on the class path of this program.
     *
     * @param scheme {@code http}, or {@code https} with a token
     */
    static Target embedded(String name, String scheme, List<String> options, Path folder) throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add(EmbeddedServer.class.getName());
        command.add(scheme);
        command.add(Integer.toString(port));
        Process process = start(folder.resolve(scheme + ".log"), folder, command);
        String token = scheme.equals("https") ? TOKEN : "";
        return new Target(name, URI.create(scheme + "://127.0.0.1:" + port), token, Map.of("java", process));
    }

    private static Process start(Path log, Path folder, List<String> command) throws IOException {
        System.out.println("  " + String.join(" ", command));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("CLASSPATH", absolute(System.getProperty("java.class.path")));
        return builder.start();
    }

    /** The server runs in another folder than this program. */
    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(each -> Path.of(each).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String privateKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no RSA", e);
        }
    }
}
