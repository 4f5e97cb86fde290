package dev.berth.advisor.agent;

import dev.berth.advisor.model.Advice;
import dev.berth.advisor.model.Bayes;
import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.Model;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Question;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.store.StoreException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The model and what it has learned: owns both, lets one at a time in, and writes through. */
final class Learning {
    private static final Logger LOG = LoggerFactory.getLogger(Learning.class);

    private final Object writing = new Object();
    private final Store store;
    private final InstantSource clock;
    private final Model model;
    private final Ema averages;
    private volatile @Nullable String problem;
    private long decisions;
    private long explorations;

    /** @param averages what the published tables hold; the model itself, or kept beside it */
    private Learning(Store store, InstantSource clock, Model model, Ema averages) {
        this.store = store;
        this.clock = clock;
        this.model = model;
        this.averages = averages;
    }

    /** Begins with what the store holds. */
    static Learning resume(AgentSettings settings, Store store, RandomGenerator random, InstantSource clock) {
        var averages = new Ema(settings.ema());
        averages.restore(store.estimates(), store.slowdowns());
        Model model = averages;
        if (settings.model().equals("bayes")) {
            model = new Bayes(random, settings.ema().retention());
            store.observations().forEach(model::observe);
        }
        return new Learning(store, clock, model, averages);
    }

    /** @param counts whether this is a decision; a probe is none */
    synchronized Advice advise(Question question, boolean counts) {
        if (!counts) {
            return new Ema(averages.settings()).advise(question);
        }
        var advice = model.advise(question);
        decisions++;
        if (advice.explores()) {
            explorations++;
        }
        return advice;
    }

    /**
     * Learns; when this returns, a crash does not undo it.
     *
     * @throws StoreException if it cannot be written: then nothing was learned
     */
    void observe(Observation observation) {
        synchronized (writing) {
            Ema.Changes changes;
            synchronized (this) {
                changes = averages.consequences(observation);
            }
            try {
                store.write(observation, changes, clock.instant().toEpochMilli() / 1000.0);
                problem = null;
            } catch (StoreException unwritable) {
                LOG.error("observation is lost: reason={}", unwritable.getMessage());
                problem = unwritable.getMessage();
                throw unwritable;
            }
            synchronized (this) {
                averages.take(changes);
                if (model instanceof Bayes) {
                    model.observe(observation);
                }
            }
        }
    }

    /** What is wrong with the store; once something was, it is tried each time. */
    Optional<String> problem() {
        if (problem == null) {
            return Optional.empty();
        }
        synchronized (writing) {
            try {
                store.check();
                problem = null;
            } catch (StoreException still) {
                problem = still.getMessage();
            }
            return Optional.ofNullable(problem);
        }
    }

    synchronized double explorationRatio() {
        return decisions == 0 ? 0 : (double) explorations / decisions;
    }

    synchronized double averageUncertainty() {
        return averages.averageUncertainty();
    }
}
