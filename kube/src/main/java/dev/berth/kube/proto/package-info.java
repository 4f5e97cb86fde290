/**
 * Kubernetes' protobuf encoding of the kinds that doors hear of most: read straight into fabric8's model, and so that
 * it cannot be told from what JSON would have given. What {@code Unread} leaves out of JSON is left out here.
 */
@NullMarked
package dev.berth.kube.proto;

import org.jspecify.annotations.NullMarked;
