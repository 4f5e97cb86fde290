package dev.berth.core.allocate;

import dev.berth.core.Share;

/** One device of an answer, by the number of its choice and its place in the node's list: alike nodes share answers. */
record Pick(int choice, int slot, Share share) {}
