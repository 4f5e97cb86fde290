/** Who may change or refuse a write: the built-in plugins, and the webhooks stored in the server. */
@NullMarked
package dev.berth.apiserver.admission;

import org.jspecify.annotations.NullMarked;
