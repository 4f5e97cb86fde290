package dev.berth.core.move;

import java.util.BitSet;
import java.util.OptionalInt;

/** Tries every sequence of moves, each pod at most once: how few will do. */
final class BruteForceMoves {
    private final Layout layout;
    private final Need need;
    private final BitSet moved = new BitSet();

    BruteForceMoves(Layout layout, Need need) {
        this.layout = new Layout(layout);
        this.need = need;
    }

    OptionalInt fewest(int most) {
        for (int count = 0; count <= most; count++) {
            if (within(count)) {
                return OptionalInt.of(count);
            }
        }
        return OptionalInt.empty();
    }

    private boolean within(int left) {
        if (somewhere()) {
            return true;
        }
        if (left == 0) {
            return false;
        }
        for (int tenant = 0; tenant < layout.tenants(); tenant++) {
            if (!moved.get(tenant) && layout.tenant(tenant).stays().isEmpty() && moving(tenant, left)) {
                return true;
            }
        }
        return false;
    }

    private boolean moving(int tenant, int left) {
        var from = layout.lift(tenant);
        moved.set(tenant);
        boolean enough = false;
        for (int node = 0; node < layout.sites().size() && !enough; node++) {
            for (var spot : layout.spots(layout.tenant(tenant).need(), node)) {
                layout.put(tenant, spot);
                enough = within(left - 1);
                layout.lift(tenant);
                if (enough) {
                    break;
                }
            }
        }
        moved.clear(tenant);
        layout.put(tenant, from);
        return enough;
    }

    private boolean somewhere() {
        for (int node = 0; node < layout.sites().size(); node++) {
            if (layout.fits(need, node)) {
                return true;
            }
        }
        return false;
    }
}
