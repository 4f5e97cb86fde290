package dev.berth.advisor.ask;

import dev.berth.advisor.agent.Agent;
import dev.berth.advisor.ask.NoAdviceException.Cause;
import dev.berth.advisor.wire.ScoreRequest;
import java.time.Duration;

/** The agent in the same process: a method call. */
public record LocalScorer(Agent agent) implements Scorer {
    @Override
    public Recommendation score(Job job, Duration within) throws NoAdviceException {
        return agent.score(new ScoreRequest(
                        job.type(),
                        job.candidates(),
                        job.colocated(),
                        job.memoryGib().orElse(0)))
                .map(Recommendation::of)
                .orElseThrow(() -> new NoAdviceException(
                        Cause.REFUSED,
                        "no candidate GPU type has the %s GiB of memory that the job needs: %s"
                                .formatted(job.memoryGib().orElse(0), String.join(", ", job.candidates()))));
    }

    @Override
    public boolean connected() {
        return true;
    }

    @Override
    public void close() {
        // The agent is its owner's to close.
    }
}
