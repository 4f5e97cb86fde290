/** What Kubernetes itself knows of a kind: defaults, what a write may not touch, and what is invalid. */
@NullMarked
package dev.berth.apiserver.rules;

import org.jspecify.annotations.NullMarked;
