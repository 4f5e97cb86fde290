/**
 * Everything a door needs to be reached: the HTTP(S) server, certificates that reload, health, metrics, AdmissionReview
 * in and JSON Patch out; and how to ask another server without waiting for ever. Knows nothing of any door, and nothing
 * of the API server.
 */
@NullMarked
package dev.berth.web;

import org.jspecify.annotations.NullMarked;
