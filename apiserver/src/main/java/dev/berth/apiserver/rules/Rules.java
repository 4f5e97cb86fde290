package dev.berth.apiserver.rules;

import dev.berth.apiserver.kinds.ResourceType;

/** The rules of every kind; kinds without rules of their own get those that hold for all. */
public final class Rules {
    public KindRules of(ResourceType type) {
        return new KindRules() {};
    }
}
