/** Tests as stories that run on both servers: what the real one answers is what the embedded one must answer. */
@NullMarked
package dev.berth.e2e.story;

import org.jspecify.annotations.NullMarked;
