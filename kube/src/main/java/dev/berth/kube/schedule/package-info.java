/** What every scheduler of Berth needs: the pods that wait, in order, and what they are told. */
@NullMarked
package dev.berth.kube.schedule;

import org.jspecify.annotations.NullMarked;
