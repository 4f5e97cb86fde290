package dev.berth.bench;

import java.io.IOException;

/** Halts a program and lets it go on. */
enum Signal {
    STOP,
    CONT;

    void to(Process process) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name(), Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) throw new IOException("kill -%s: %d".formatted(name(), code));
    }
}
