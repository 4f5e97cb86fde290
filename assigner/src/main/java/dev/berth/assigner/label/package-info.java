/** Writes down which GPUs a node has and how they are labelled, for clusters where nobody else does. */
@NullMarked
package dev.berth.assigner.label;

import org.jspecify.annotations.NullMarked;
