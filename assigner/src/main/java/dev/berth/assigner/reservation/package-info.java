/** The life of a reservation: proposed, promoted, renewed, released; one Lease a GPU. */
@NullMarked
package dev.berth.assigner.reservation;

import org.jspecify.annotations.NullMarked;
