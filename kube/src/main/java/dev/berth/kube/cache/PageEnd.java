package dev.berth.kube.cache;

import java.util.Optional;

/** The end of a page of a list: the list's version, and what to ask for the next page with, if there is one. */
record PageEnd(String version, Optional<String> token) {}
