package dev.berth.e2e.story;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch that is open. */
public final class Watching {
    private static final String END = "(the server closed the watch)";
    private static final int BOUND = 10_000;

    private final Dialogue dialogue;
    private final InputStream stream;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(BOUND);

    Watching(Dialogue dialogue, InputStream stream) {
        this.dialogue = dialogue;
        this.stream = stream;
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (var reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) lines.put(line);
        } catch (IOException _) {
            // Closed here or broken there: both are the end of it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!lines.offer(END)) throw new IllegalStateException("a watch with more than " + BOUND + " events");
    }

    /** Writes the next events down, waiting for them. */
    public Watching next(int events) {
        for (int i = 0; i < events; i++)
            dialogue.write("* " + dialogue.normaliser().body(take()));
        return this;
    }

    /** The next event, off the record. */
    public JsonNode skip() {
        return new Answer(200, take(), List.of()).body();
    }

    /** Writes everything down until the server closes the watch. */
    public void toTheEnd() {
        for (var line = take(); ; line = take()) {
            dialogue.write("* " + dialogue.normaliser().body(line));
            if (line.equals(END)) return;
        }
    }

    private String take() {
        try {
            var line = lines.poll(20, TimeUnit.SECONDS);
            if (line == null) throw new AssertionError("no watch event within 20 s");
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
