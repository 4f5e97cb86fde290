/** Reads the protobuf bodies that Go clients send by default; everything behind it works on JSON. */
@NullMarked
package dev.berth.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
