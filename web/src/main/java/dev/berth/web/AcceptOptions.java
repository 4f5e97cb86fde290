package dev.berth.web;

import io.helidon.common.socket.SocketOptions;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Socket options that also tell {@link Connections} of each socket they are put on: Helidon's only hook at accept. */
final class AcceptOptions implements SocketOptions {
    /** Without TCP_NODELAY a small flushed write may wait 40 ms for the acknowledgement of the one before. */
    private final SocketOptions options =
            SocketOptions.builder().tcpNoDelay(true).buildPrototype();

    private final Connections connections;

    AcceptOptions(Connections connections) {
        this.connections = connections;
    }

    @Override
    public void configureSocket(SocketChannel socket) {
        options.configureSocket(socket);
        connections.accepted(socket);
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return options.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return options.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return options.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return options.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return options.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return options.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return options.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return options.tcpNoDelay();
    }
}
