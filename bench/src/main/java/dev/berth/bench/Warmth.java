package dev.berth.bench;

import java.io.IOException;

/** Whether a server has warmed up: a call costs it less no more, and its compilers, if it has any, are done. */
public final class Warmth {
    /** A stretch that is not this much cheaper than the best before has gained nothing. */
    private static final double GAIN = 0.95;

    private static final int STRETCHES_WITHOUT_GAIN = 2;

    /** Compilers that use no more of a stretch's processor time than this are done. */
    private static final double DONE = 0.1;

    private final Target server;
    private double compilers;
    private double best = Double.MAX_VALUE;
    private int withoutGain;
    private boolean compiling = true;

    public Warmth(Target server) throws IOException {
        this.server = server;
        this.compilers = server.compilerSeconds();
    }

    /**
     * To be told after each stretch.
     *
     * @param micros the server's processor time for each of its calls
     */
    public void felt(double micros, int calls) throws IOException {
        double now = server.compilerSeconds();
        compiling = (now - compilers) * 1e6 / calls > DONE * micros;
        compilers = now;
        withoutGain = micros > best * GAIN ? withoutGain + 1 : 0;
        best = Math.min(best, micros);
    }

    public boolean enough() {
        return !compiling && withoutGain >= STRETCHES_WITHOUT_GAIN;
    }
}
