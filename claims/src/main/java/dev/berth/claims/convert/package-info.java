/**
 * The same claims in other words: fields or annotation, and {@code resource.k8s.io/v1} as far as that has a word for
 * them.
 */
@NullMarked
package dev.berth.claims.convert;

import org.jspecify.annotations.NullMarked;
