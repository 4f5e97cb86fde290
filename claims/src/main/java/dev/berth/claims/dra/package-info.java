/** The door's second language: the objects of {@code resource.k8s.io/v1}, asked of the same engine. */
@NullMarked
package dev.berth.claims.dra;

import org.jspecify.annotations.NullMarked;
