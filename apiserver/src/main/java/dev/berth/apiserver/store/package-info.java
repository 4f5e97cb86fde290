/**
 * What is stored: objects as bytes under one revision counter, their history for watches, and the log that survives a
 * kill.
 */
@NullMarked
package dev.berth.apiserver.store;

import org.jspecify.annotations.NullMarked;
