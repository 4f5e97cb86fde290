package dev.berth.apiserver.store;

import java.util.List;
import java.util.Map;

/**
 * What is known of an object without reading its bytes.
 *
 * @param fields the values that field selectors ask for, in the order that the table's owner decided
 */
public record Facts(String uid, Map<String, String> labels, List<String> fields) {}
