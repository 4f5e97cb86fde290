package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/** The clock of processes that are started with it, which can be set while they run; how time passes is not touched. */
public final class FakeClock {
    private final Path library;
    private final Path file;

    private FakeClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** A right one, whose setting lies in the folder; the library is installed first where that is possible. */
    public static FakeClock in(Path folder) throws SystemPart.Unavailable {
        var clock = new FakeClock(SystemPart.find("clock/find"), folder.resolve("clock"));
        clock.set(Duration.ZERO);
        return clock;
    }

    /** @param ahead how far it is before the right time; negative for behind */
    public void set(Duration ahead) {
        try {
            var next = Files.writeString(file.resolveSibling("clock-next"), "%+d\n".formatted(ahead.toSeconds()));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a process must find to go by this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Its remedy for old C libraries ends every timed wait of Java at once, which takes a whole core.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }
}
