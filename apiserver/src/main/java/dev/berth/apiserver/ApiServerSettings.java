package dev.berth.apiserver;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a server is to run.
 *
 * @param bindAddress loopback unless someone says otherwise
 * @param port 0 takes a free one
 * @param dataDir where the state is kept over restarts; empty for in memory only
 * @param controllers false where a real kube-controller-manager does their work
 */
public record ApiServerSettings(String bindAddress, int port, Optional<Path> dataDir, boolean controllers) {
    public static final int DEFAULT_PORT = 55441;

    public static ApiServerSettings defaults() {
        return new ApiServerSettings("127.0.0.1", DEFAULT_PORT, Optional.empty(), true);
    }

    public ApiServerSettings withPort(int other) {
        return new ApiServerSettings(bindAddress, other, dataDir, controllers);
    }

    public ApiServerSettings withBindAddress(String other) {
        return new ApiServerSettings(other, port, dataDir, controllers);
    }

    public ApiServerSettings withDataDir(Path directory) {
        return new ApiServerSettings(bindAddress, port, Optional.of(directory), controllers);
    }

    public ApiServerSettings withoutControllers() {
        return new ApiServerSettings(bindAddress, port, dataDir, false);
    }
}
