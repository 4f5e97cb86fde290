package dev.berth.apiserver.store;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** A log that is being written, by one thread. What it cannot take whole it does not keep in part. */
final class LogFile implements AutoCloseable {
    private static final int A_LITTLE = 1 << 12;

    private final FileChannel channel;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(1 << 16);
    private long length;
    private boolean torn;

    LogFile(FileChannel channel) throws IOException {
        this.channel = channel;
        this.length = channel.size();
    }

    long length() {
        return length;
    }

    /** When it returns, all of it is on disk; when it throws, none of it counts. */
    void append(List<JournalFormat.Entry> batch) throws IOException {
        buffer.reset();
        var out = new DataOutputStream(buffer);
        for (JournalFormat.Entry each : batch) JournalFormat.write(out, each);
        mend();
        torn = true;
        write(buffer.toByteArray());
        torn = false;
        length += buffer.size();
    }

    /** Whether there is room again: writes a little and takes it away. */
    void probe() throws IOException {
        mend();
        torn = true;
        write(new byte[A_LITTLE]);
        mend();
    }

    /** Cuts off what is only there in part. */
    void mend() throws IOException {
        if (!torn) return;
        channel.truncate(length);
        channel.force(false);
        torn = false;
    }

    private void write(byte[] all) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(all);
        while (bytes.hasRemaining()) channel.write(bytes);
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
