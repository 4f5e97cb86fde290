/**
 * A real browser that looks at our pages. It is spoken to in its own protocol over one WebSocket, which Java has, in
 * place of a driver of 200 MB that brings a Node of its own.
 */
@NullMarked
package dev.berth.e2e.browser;

import org.jspecify.annotations.NullMarked;
