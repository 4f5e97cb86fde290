/**
 * The kinds of {@code devmgmtproto.k8s.io/v1alpha1} as records: every spelling that was ever published is read, the
 * newest is written.
 */
@NullMarked
package dev.berth.claims.api;

import org.jspecify.annotations.NullMarked;
