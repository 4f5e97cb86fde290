/** Manifests: YAML or JSON text in, values that know their file, document, field and line; and back to text. */
@NullMarked
package dev.berth.claims.manifest;

import org.jspecify.annotations.NullMarked;
