/** The scoring agent: questions and observations over HTTP, and the model behind them. */
@NullMarked
package dev.berth.advisor.agent;

import org.jspecify.annotations.NullMarked;
