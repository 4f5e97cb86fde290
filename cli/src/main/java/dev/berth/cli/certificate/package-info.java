/**
 * Certificates that doors make for themselves: kept in a Secret, trusted by the API server, renewed without a restart.
 * And the commands beside them: {@code berth certs} writes some into files, {@code berth probe} asks a door that serves
 * them.
 */
@NullMarked
package dev.berth.cli.certificate;

import org.jspecify.annotations.NullMarked;
