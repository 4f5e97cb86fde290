package dev.berth.kube.event;

import java.time.Duration;
import java.time.Instant;

/** Equal happenings, and the event object that stands for them. */
final class Series {
    private final String namespace;
    private final String name;
    private int count = 1;
    private int written = 1;
    private Instant last;
    private Instant writtenAt;

    Series(String namespace, String name, Instant now) {
        this.namespace = namespace;
        this.name = name;
        this.last = now;
        this.writtenAt = now;
    }

    void again(Instant now) {
        count++;
        last = now;
    }

    boolean due(Instant now, Duration interval) {
        return count > written && !now.isBefore(writtenAt.plus(interval));
    }

    void wrote(Instant now) {
        written = count;
        writtenAt = now;
    }

    boolean pending() {
        return count > written;
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    int count() {
        return count;
    }

    Instant last() {
        return last;
    }
}
