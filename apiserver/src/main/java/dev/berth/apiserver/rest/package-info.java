/** The way of a request: from HTTP to a verb, through admission and rules, to the store and back. */
@NullMarked
package dev.berth.apiserver.rest;

import org.jspecify.annotations.NullMarked;
