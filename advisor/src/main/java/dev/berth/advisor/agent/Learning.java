package dev.berth.advisor.agent;

import dev.berth.advisor.model.Advice;
import dev.berth.advisor.model.Bayes;
import dev.berth.advisor.model.Belief;
import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.Model;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Question;
import dev.berth.advisor.store.Known;
import dev.berth.advisor.store.Learner;
import dev.berth.advisor.store.Store;
import dev.berth.advisor.store.StoreException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model and what it has learned: owns both, lets one at a time in, and writes through. Who asks for advice never
 * waits for the store.
 */
final class Learning {
    private static final Logger LOG = LoggerFactory.getLogger(Learning.class);
    private static final long PATIENCE_SECONDS = 6;

    /** Held while the store is used, for as long as that takes. */
    private final ReentrantLock storing = new ReentrantLock();

    private final AgentSettings settings;
    private final Store store;
    private final RandomGenerator random;
    private final InstantSource clock;
    private final Learner learner = new StoreLearner();
    /** What the published tables hold; the model itself, or kept beside it. */
    private Ema averages;

    private Model model;
    private long decisions;
    private long explorations;
    private volatile @Nullable String problem;

    Learning(AgentSettings settings, Store store, RandomGenerator random, InstantSource clock) {
        this.settings = settings;
        this.store = store;
        this.random = random;
        this.clock = clock;
        this.averages = new Ema(settings.ema());
        this.model = fresh(averages);
    }

    private Model fresh(Ema beside) {
        return settings.model().equals("bayes")
                ? new Bayes(random, settings.ema().retention())
                : beside;
    }

    synchronized Advice advise(Question question) {
        var advice = model.advise(question);
        decisions++;
        if (advice.explores()) {
            explorations++;
        }
        return advice;
    }

    synchronized List<Belief> beliefs() {
        return model.beliefs();
    }

    /**
     * Learns; when this returns, a crash does not undo it.
     *
     * @return false if its run was learned from before
     * @throws StoreException if it cannot be written: then nothing was learned
     */
    boolean observe(Observation observation) {
        if (!lockedInTime()) {
            throw new StoreException("the database %s is slow: too many wait for it".formatted(store.name()));
        }
        try {
            boolean news = store.write(observation, learner, clock.instant().toEpochMilli() / 1000.0);
            if (news) learner.hear(observation);
            works();
            return news;
        } catch (StoreException unwritable) {
            fails(unwritable);
            throw unwritable;
        } finally {
            storing.unlock();
        }
    }

    private boolean lockedInTime() {
        try {
            return storing.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Learns what other replicas wrote; says whether the store works.
     *
     * @param thoroughly whether to write something, too: what can be read need not be writable
     */
    void keepUp(boolean thoroughly) {
        // Whoever holds it is just finding out the same.
        if (!storing.tryLock()) return;
        try {
            store.read(learner);
            if (thoroughly || problem != null) store.check();
            works();
        } catch (StoreException broken) {
            fails(broken);
        } finally {
            storing.unlock();
        }
    }

    private void works() {
        if (problem != null) LOG.info("the database {} works again", store.name());
        problem = null;
    }

    private void fails(StoreException broken) {
        if (problem == null) {
            LOG.error(
                    "nothing can be learned until it is mended, advice goes on: reason={} database={}",
                    broken.getMessage(),
                    store.name());
        }
        problem = String.valueOf(broken.getMessage());
    }

    /** What is wrong with the store. */
    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    synchronized double explorationRatio() {
        return decisions == 0 ? 0 : (double) explorations / decisions;
    }

    synchronized double averageUncertainty() {
        return averages.averageUncertainty();
    }

    /** What the store tells, put into the model. */
    private final class StoreLearner implements Learner {
        @Override
        public void begin(Known known) {
            var restored = new Ema(settings.ema());
            restored.restore(known.estimates(), known.slowdowns());
            var begun = fresh(restored);
            if (begun != restored) known.observations().forEach(begun::observe);
            synchronized (Learning.this) {
                averages = restored;
                model = begun;
            }
        }

        @Override
        public void hear(Observation observation) {
            synchronized (Learning.this) {
                averages.observe(observation);
                if (model != averages) model.observe(observation);
            }
        }

        @Override
        public Ema.Changes consequences(Observation observation) {
            synchronized (Learning.this) {
                return averages.consequences(observation);
            }
        }
    }
}
