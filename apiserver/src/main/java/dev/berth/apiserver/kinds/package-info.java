/** What is served: the resource types, their schemas, discovery, OpenAPI, and the tables that kubectl prints. */
@NullMarked
package dev.berth.apiserver.kinds;

import org.jspecify.annotations.NullMarked;
