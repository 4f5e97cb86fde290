/** What Berth knows and never tells: tokens, passwords, private keys. */
@NullMarked
package dev.berth.e2e.secrets;

import org.jspecify.annotations.NullMarked;
