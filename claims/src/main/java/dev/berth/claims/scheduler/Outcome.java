package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.NodeName;
import java.util.List;

/** How one attempt to place a pod ended. */
sealed interface Outcome {
    /** It is bound; the claims are as they were written, and the devices are named for people. */
    record Placed(NodeName node, String why, String devices, List<JsonNode> claims) implements Outcome {}

    /**
     * No node will do, or something that it names is missing.
     *
     * @param codes what kinds of reasons there were, for metrics
     */
    record Refused(String note, List<String> codes) implements Outcome {}

    /** Somebody was faster; a look at the newest state may find another place. */
    record LostRace(String why) implements Outcome {}

    /** Something did not work that may work later. */
    record Failed(String why) implements Outcome {}

    /** The pod wants no node any more: it has one, it ended, or it was deleted. */
    record NotWanted() implements Outcome {}
}
