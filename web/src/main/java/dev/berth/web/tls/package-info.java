/** Certificates: read from files, made for a test, or made and renewed by ourselves. */
@NullMarked
package dev.berth.web.tls;

import org.jspecify.annotations.NullMarked;
