package dev.berth.kube.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers requests with bytes as they are written down, whatever these are. */
final class ScriptedServer implements AutoCloseable {
    /** What is done about a request. */
    @FunctionalInterface
    interface Script {
        /** @param number which one it is, over all connections */
        void answer(int number, Socket socket) throws IOException;
    }

    private final ServerSocket listener;
    private final Script script;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    ScriptedServer(Script script) {
        this.script = script;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Answers each request with the same bytes. */
    static ScriptedServer saying(String answer) {
        return new ScriptedServer((_, socket) -> say(socket, answer));
    }

    static void say(Socket socket, String answer) throws IOException {
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    List<String> requests() {
        return requests;
    }

    List<Socket> connections() {
        return connections;
    }

    private void accept() {
        try {
            while (true) {
                var socket = listener.accept();
                connections.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // Nobody is let in any more.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var request = new StringBuilder(line);
                int length = 0;
                for (line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                    request.append('|').append(line);
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                        length = Integer.parseInt(line.substring("content-length: ".length()));
                    }
                }
                var body = new char[length];
                for (int read = 0; read < length; ) {
                    read += in.read(body, read, length - read);
                }
                requests.add(request.append('|').append(body).toString());
                script.answer(requests.size(), socket);
            }
        } catch (IOException closed) {
            // The other side has gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var connection : connections) {
            connection.close();
        }
    }
}
