package dev.berth.apiserver.controller;

import java.time.Duration;
import java.util.Optional;

/** Brings one object after the other to what it asks for. */
interface Controller {
    String name();

    WorkQueue<Key> queue();

    /**
     * Called with a key that changed, never twice at the same time.
     *
     * @return when to look again by itself; empty when the next change is soon enough
     */
    Optional<Duration> reconcile(Key key);
}
