package dev.berth.extender.place;

import dev.berth.core.share.SharePlacement;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.FilterReply.Failed;
import java.util.List;

/** What became of a question. */
sealed interface Outcome {
    /** This node, and it is written down. */
    record Chosen(Candidate node, SharePlacement placement, List<Failed> others) implements Outcome {}

    /** No node, for these reasons. */
    record Refused(List<Failed> nodes) implements Outcome {}

    /** Nothing is decided and nothing is held; ask again. */
    record Undecided(String why) implements Outcome {}
}
