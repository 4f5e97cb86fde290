package dev.berth.core.verdict;

import dev.berth.core.Device;
import dev.berth.core.NodeName;
import dev.berth.core.Share;

/**
 * One device of a placement.
 *
 * @param choice the name of the choice that was taken, empty where there was no alternative
 * @param place on whose page of the ledger the device is: the node's, or a network pool's
 * @param admin whether it is looked after only, and not held
 */
public record Grant(String ask, String choice, NodeName place, Device device, Share share, boolean admin) {}
