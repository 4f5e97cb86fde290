/** Made workloads with hidden truths, and contests of models on them. */
@NullMarked
package dev.berth.advisor.evaluate;

import org.jspecify.annotations.NullMarked;
