package dev.berth.bench;

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

/** Starts the two servers of a race, each in processes of its own. */
public final class Servers {
    public static final String TOKEN = "race-token";

    private Servers() {}

    /** kube-apiserver over an etcd that does not wait for the disk, since the embedded server has none. */
    public static Target real(Path binaries, Path folder) throws IOException {
        writeTokens(folder);
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
                        onServersCores(
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
                        onServersCores(
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
     * The embedded server as its users run it: by the launcher, with the launcher's options.
     *
     * @param scheme {@code http}, or {@code https} with a token
     * @param options more options for its JVM
     * @param flags more of its own flags
     */
    public static Target embedded(
            String name, String scheme, Path launcher, String options, Path folder, String... flags)
            throws IOException {
        int port = freePort();
        boolean secure = scheme.equals("https");
        List<String> command = new ArrayList<>(List.of(
                launcher.toString(), "apiserver", "--port=" + port, "--write-kubeconfig=" + scheme + ".kubeconfig"));
        command.addAll(List.of(flags));
        if (secure) {
            writeTokens(folder);
            command.addAll(List.of("--self-signed", "--token-auth-file=tokens.csv"));
        }
        // It replaces itself by the JVM, so that the process is the server.
        Process process = start(
                folder.resolve(scheme + ".log"),
                folder,
                command,
                Map.of("BERTH_NO_BUILD", "yes", "BERTH_JAVA_OPTS", options));
        URI address = URI.create(scheme + "://127.0.0.1:" + port);
        return new Target(name, address, secure ? TOKEN : "", Map.of("berth", process));
    }

    /**
     * A door as a cluster runs it: by the launcher, with the launcher's options.
     *
     * @param page where it answers {@code /readyz}
     */
    public static Target door(URI page, Path launcher, Path folder, List<String> arguments) throws IOException {
        return door(arguments.getFirst(), page, launcher, folder, arguments, Map.of());
    }

    /** The same under another name, with variables beside ours. */
    public static Target door(
            String name, URI page, Path launcher, Path folder, List<String> arguments, Map<String, String> variables)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(arguments);
        Map<String, String> environment = new LinkedHashMap<>(variables);
        environment.put("BERTH_NO_BUILD", "yes");
        Process process = start(folder.resolve(name + ".log"), folder, command, environment);
        return new Target(name, page, "", Map.of(name, process));
    }

    /** A program of this module, with the options that the launcher gives to a door. */
    public static Target java(String name, URI page, Path folder, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseCompactObjectHeaders",
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-Xmx144m",
                "-XX:ReservedCodeCacheSize=48m",
                "-Xss512k",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new Target(name, page, "", Map.of(name, start(folder.resolve(name + ".log"), folder, command)));
    }

    /** The file by which a door finds the real server that was started in this folder. */
    public static Path kubeconfig(Target real, Path folder) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: bench, cluster: {server: "%s", certificate-authority: "%s"}}]
                users: [{name: admin, user: {token: %s}}]
                contexts: [{name: bench, context: {cluster: bench, user: admin}}]
                current-context: bench
                """.formatted(
                        real.address(), folder.resolve("certificates/apiserver.crt"), TOKEN));
    }

    private static void writeTokens(Path folder) throws IOException {
        Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,admin,\"system:masters\"\n");
    }

    /** Where {@code bench/java} has split the machine, the control plane keeps to its part. */
    private static List<String> onServersCores(String... command) {
        List<String> pinned = new ArrayList<>();
        String cores = System.getenv("BENCH_SERVER_CORES");
        if (cores != null) pinned.addAll(List.of("taskset", "-c", cores));
        pinned.addAll(List.of(command));
        return pinned;
    }

    static Process start(Path log, Path folder, List<String> command) throws IOException {
        return start(log, folder, command, Map.of());
    }

    private static Process start(Path log, Path folder, List<String> command, Map<String, String> environment)
            throws IOException {
        System.out.println("  " + String.join(" ", command).replaceAll("-cp \\S+", "-cp …"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        // A benchmark that is stopped on the way leaves nothing behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return process;
    }

    public static int freePort() {
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
