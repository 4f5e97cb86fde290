/**
 * Certificates that doors make for themselves: kept in a Secret, trusted by the API server, renewed without a restart.
 */
@NullMarked
package dev.berth.cli.certificate;

import org.jspecify.annotations.NullMarked;
