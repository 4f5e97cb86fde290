/** What people and programs see of the GPUs: the inventory as JSON, once or as a stream. */
@NullMarked
package dev.berth.assigner.view;

import org.jspecify.annotations.NullMarked;
