package dev.berth.bench.subject;

import java.io.IOException;

/** Somebody who asks a door for decisions, one after the other, on connections of his own. */
public interface Customer extends AutoCloseable {
    /** Makes what must be there before the question is put, such as the pod that waits; not timed. */
    default void prepare(int number) throws IOException {}

    /** One decision, end to end; this is what is timed. */
    void ask(int number) throws IOException;

    /** Gives back what was got, so that it can go on for ever; not timed. */
    default void giveBack(int number) throws IOException {}

    @Override
    void close() throws IOException;
}
