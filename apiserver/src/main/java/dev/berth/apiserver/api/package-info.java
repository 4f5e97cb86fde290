/** The server's verbs, as its own controllers and nodes call them, without HTTP in between. */
@NullMarked
package dev.berth.apiserver.api;

import org.jspecify.annotations.NullMarked;
