/** The node ledger: how two writers cannot both win. See DESIGN.md beside this file. */
@NullMarked
package dev.berth.kube.ledger;

import org.jspecify.annotations.NullMarked;
