package dev.berth.e2e.story;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.ControlPlane;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.EmbeddedServer;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Programs;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The servers of this JVM, which tells its stories one after the other: each is started when the first story asks for
 * it, and ends with the JVM. Not with a JUnit run: where several JVMs share the work each class is a run of its own,
 * and a kube-apiserver for each class took a sixth of CI's processor time.
 */
final class Servers {
    static final Servers OF_THIS_JVM = new Servers();

    /** Compares the real server with a second real one, to see that the stories themselves are steady. */
    private static final String REAL_TWICE = "berth.e2e.real-twice";

    private @Nullable ControlPlane real;
    private @Nullable String whyNoReal;
    private @Nullable GuardedProcess controllers;
    private @Nullable GuardedProcess secondControllers;
    private @Nullable Cluster quiet;
    private @Nullable Cluster controlling;

    private Servers() {}

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
        if (Boolean.getBoolean(REAL_TWICE)) return secondReal(withControllers);
        if (withControllers) {
            if (controlling == null) controlling = EmbeddedServer.start(true);
            return controlling;
        }
        if (quiet == null) quiet = EmbeddedServer.start(false);
        return quiet;
    }

    private Cluster secondReal(boolean withControllers) {
        var directory = E2eFolder.target("second-controlplane");
        if (quiet == null) quiet = ControlPlane.start(real().programs(), directory);
        if (withControllers && secondControllers == null) {
            secondControllers = Companions.controllers(real().programs(), quiet, directory);
        } else if (!withControllers && secondControllers != null) {
            secondControllers.close();
            secondControllers = null;
        }
        return quiet;
    }
}
