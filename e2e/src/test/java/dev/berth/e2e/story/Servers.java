package dev.berth.e2e.story;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.ControlPlane;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.EmbeddedServer;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Programs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/** The servers of one test run: each is started when the first test asks for it, and stopped after the last one. */
final class Servers implements AutoCloseable {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(Servers.class);

    private @Nullable ControlPlane real;
    private @Nullable String whyNoReal;
    private @Nullable GuardedProcess controllers;
    private @Nullable EmbeddedServer quiet;
    private @Nullable EmbeddedServer controlling;

    static Servers of(ExtensionContext context) {
        return context.getRoot().getStore(SPACE).computeIfAbsent("servers", _ -> new Servers(), Servers.class);
    }

    /** The real server with or without controllers beside it. */
    Cluster real(boolean withControllers) {
        var server = real();
        if (withControllers && controllers == null) {
            controllers = Companions.controllers(server.programs(), server, E2eFolder.target("controlplane"));
        } else if (!withControllers && controllers != null) {
            controllers.close();
            controllers = null;
        }
        return server;
    }

    ControlPlane real() {
        if (real != null) return real;
        if (whyNoReal == null) {
            try {
                real = ControlPlane.start(Programs.find(), E2eFolder.target("controlplane"));
                return real;
            } catch (Programs.Unavailable e) {
                whyNoReal = "no real control plane: " + e.getMessage();
            }
        }
        if ("true".equals(System.getenv("CI"))) throw new IllegalStateException(whyNoReal);
        throw new TestAbortedException(whyNoReal);
    }

    /** The embedded server, with or without its own controllers. */
    Cluster embedded(boolean withControllers) {
        if (withControllers) {
            if (controlling == null) controlling = EmbeddedServer.start(true);
            return controlling;
        }
        if (quiet == null) quiet = EmbeddedServer.start(false);
        return quiet;
    }

    @Override
    public void close() {
        if (quiet != null) quiet.close();
        if (controlling != null) controlling.close();
        if (controllers != null) controllers.close();
        if (real != null) real.close();
    }
}
