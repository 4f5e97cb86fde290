package dev.berth.core.share;

/** Packs one GPU, and every room smaller than one, as dear as the prices of the sizes allow. */
public final class DearestPacking {
    private final int[] sizes;
    private final double[] worth = new double[Slice.WHOLE + 1];
    private final int[] pick = new int[Slice.WHOLE + 1];

    /** @param sizes in hundredths of a GPU, the smallest first */
    public DearestPacking(int[] sizes) {
        this.sizes = sizes.clone();
    }

    /** The worth of the whole GPU at these prices, one for each size. */
    public double pack(double[] prices) {
        for (int room = 1; room <= Slice.WHOLE; room++) {
            worth[room] = worth[room - 1];
            pick[room] = -1;
            for (int size = 0; size < sizes.length && sizes[size] <= room; size++) {
                double with = worth[room - sizes[size]] + prices[size];
                if (with > worth[room]) {
                    worth[room] = with;
                    pick[room] = size;
                }
            }
        }
        return worth[Slice.WHOLE];
    }

    /** What so much room was worth when it was packed last. */
    public double worth(int room) {
        return worth[room];
    }

    /** How many of each size are in the GPU that was packed last. */
    public int[] packed() {
        var packed = new int[sizes.length];
        int room = Slice.WHOLE;
        while (room > 0) {
            if (pick[room] < 0) {
                room--;
            } else {
                packed[pick[room]]++;
                room -= sizes[pick[room]];
            }
        }
        return packed;
    }
}
