/**
 * The processes that end-to-end tests start: the two API servers that each of them runs on (the real control plane and
 * the embedded one), {@code berth} itself, PostgreSQL, and what stands between them: proxies that are late or cut, a
 * clock that is wrong.
 */
@NullMarked
package dev.berth.e2e.server;

import org.jspecify.annotations.NullMarked;
