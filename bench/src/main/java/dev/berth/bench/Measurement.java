package dev.berth.bench;

/**
 * What one server did.
 *
 * @param creates its median round of creates
 * @param deliveries its median round of watches, with the creates that cause the events
 * @param replays its median round of watches that begin before events that are there already
 * @param megabytes resident, of all its processes, with the pods to weigh stored
 */
record Measurement(String name, Round creates, Round deliveries, Round replays, double megabytes) {}
