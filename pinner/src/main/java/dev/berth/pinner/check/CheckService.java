package dev.berth.pinner.check;

import dev.berth.pinner.map.Keys;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says again and again on which node it runs and which GPUs it sees; its lines are those of the document's program. */
public final class CheckService {
    /** An interval that is none; the message is for people. */
    public static final class BadIntervalException extends Exception {
        BadIntervalException(String message) {
            super(message);
        }
    }

    private static final String DEFAULT_INTERVAL = "10";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS").withZone(ZoneId.systemDefault());

    private final Map<String, String> environment;
    private final Supplier<String> hostName;
    private final PrintWriter out;
    private final InstantSource clock;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    public CheckService(
            Map<String, String> environment, Supplier<String> hostName, PrintWriter out, InstantSource clock) {
        this.environment = Map.copyOf(environment);
        this.hostName = hostName;
        this.out = out;
        this.clock = clock;
    }

    /** Speaks until it is stopped. */
    public void run() throws BadIntervalException, InterruptedException {
        var interval = interval();
        info("GPU Scheduler Check service starting...");
        info("Log interval: %d seconds".formatted(interval.toSeconds()));
        var issues = issues();
        if (issues.isEmpty()) {
            info("Environment validation passed");
        }
        issues.forEach(issue -> say("WARNING", "Environment issue: " + issue));
        do {
            info(line());
        } while (!stop.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        info("GPU Scheduler Check service stopped");
        stopped.countDown();
    }

    /** Asks it to stop, and waits for its last word. */
    public void stop(int signal, Duration within) throws InterruptedException {
        info("Received signal %d, shutting down gracefully...".formatted(signal));
        stop.countDown();
        if (!stopped.await(within.toMillis(), TimeUnit.MILLISECONDS)) {
            say("WARNING", "GPU Scheduler Check service did not stop");
        }
    }

    private Duration interval() throws BadIntervalException {
        var text = environment.getOrDefault("LOG_INTERVAL", DEFAULT_INTERVAL).strip();
        if (!text.matches("[+-]?\\d{1,9}")) {
            throw new BadIntervalException("LOG_INTERVAL must be a number of seconds, not '%s'".formatted(text));
        }
        int seconds = Integer.parseInt(text);
        if (seconds < 1) {
            throw new BadIntervalException("LOG_INTERVAL must be at least 1 second");
        }
        return Duration.ofSeconds(seconds);
    }

    private String line() {
        return "Node: %s, %s: %s".formatted(node(), Keys.VISIBLE_DEVICES, devices());
    }

    private String node() {
        var name = environment.getOrDefault("NODE_NAME", "");
        return name.isEmpty() ? hostName.get() : name;
    }

    private String devices() {
        var value = environment.get(Keys.VISIBLE_DEVICES);
        return value == null ? "not-set" : value.isEmpty() ? "empty" : value;
    }

    private List<String> issues() {
        var issues = new ArrayList<String>();
        if (environment.getOrDefault("NODE_NAME", "").isEmpty()) {
            issues.add("NODE_NAME environment variable not set");
        }
        var value = environment.get(Keys.VISIBLE_DEVICES);
        if (value == null) {
            issues.add(Keys.VISIBLE_DEVICES + " not set by scheduler");
        } else if (value.isEmpty()) {
            issues.add(Keys.VISIBLE_DEVICES + " is empty");
        }
        return issues;
    }

    private void info(String message) {
        say("INFO", message);
    }

    private synchronized void say(String level, String message) {
        out.println("%s - __main__ - %s - %s".formatted(TIME.format(clock.instant()), level, message));
        out.flush();
    }
}
