/** The few controllers that turn workloads into pods and collect what lost its owner. */
@NullMarked
package dev.berth.apiserver.controller;

import org.jspecify.annotations.NullMarked;
