/** Kubernetes' AdmissionReview in, replies and JSON Patches out. Knows the envelope, not what a door decides. */
@NullMarked
package dev.berth.web.admission;

import org.jspecify.annotations.NullMarked;
