package dev.berth.advisor.observer;

import dev.berth.advisor.agent.Agent;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.store.StoreException;

/** The agent in the same process. */
public record LocalEar(Agent agent) implements Ear {
    @Override
    public Reception tell(Observation observation) {
        try {
            agent.observe(observation);
            return Reception.TAKEN;
        } catch (StoreException unwritable) {
            return Reception.LATER;
        }
    }
}
