package dev.berth.advisor.ask;

import java.time.Duration;

/** Who knows which GPU suits a job. */
public interface Scorer extends AutoCloseable {
    /**
     * @param within the answer is of no use later
     * @throws NoAdviceException if there is none: the reason is for people
     */
    Recommendation score(Job job, Duration within) throws NoAdviceException;

    /** Whether an answer can be expected; may take a moment. */
    boolean connected();

    @Override
    void close();
}
