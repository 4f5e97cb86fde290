package dev.berth.apiserver.rest;

import io.helidon.common.GenericType;
import io.helidon.common.media.type.MediaType;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http.spi.Sink;
import io.helidon.webserver.http.spi.SinkProvider;
import io.helidon.webserver.http.spi.SinkProviderContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;

/**
 * A reply whose headers are sent before there is anything to say: a client waits for them before it believes that its
 * watch has begun. Helidon sends them early only for a sink.
 */
public final class OpenReply implements Sink<byte[]> {
    static final GenericType<OpenReply> TYPE = GenericType.create(OpenReply.class);

    private final OutputStream out;
    private final Runnable end;

    private OpenReply(OutputStream out, Runnable end) {
        this.out = out;
        this.end = end;
    }

    OutputStream out() {
        return out;
    }

    @Override
    public OpenReply emit(byte[] bytes) {
        try {
            out.write(bytes);
            return this;
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void close() {
        end.run();
    }

    /** How Helidon finds it; the signatures are Helidon's. */
    @SuppressWarnings({"removal", "TypeParameterUnusedInFormals", "unchecked"})
    public static final class Provider implements SinkProvider<byte[]> {
        @Override
        public boolean supports(GenericType<? extends Sink<?>> type, ServerRequest request) {
            return type.equals(TYPE);
        }

        @Override
        public <X extends Sink<byte[]>> X create(SinkProviderContext context) {
            OutputStream out = context.serverResponse().outputStream();
            context.flushHeaders();
            return (X) new OpenReply(out, context.closeRunnable());
        }

        @Override
        public <X extends Sink<byte[]>> X create(
                ServerResponse response, BiConsumer<Object, MediaType> consumer, Runnable end) {
            throw new UnsupportedOperationException("Helidon calls the other one");
        }
    }
}
