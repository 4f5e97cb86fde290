package dev.berth.e2e.chart;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Programs;
import org.opentest4j.TestAbortedException;

/** The real programs; where they cannot be had, tests are skipped, except in a build that must not skip any. */
public final class ProgramsOrSkip {
    private ProgramsOrSkip() {}

    public static Programs programs() {
        try {
            return Programs.find();
        } catch (Programs.Unavailable e) {
            throw skip(e);
        }
    }

    static Helm helm() {
        try {
            return Helm.offline();
        } catch (Programs.Unavailable e) {
            throw skip(e);
        }
    }

    static Helm helm(Cluster cluster) {
        try {
            return Helm.on(cluster);
        } catch (Programs.Unavailable e) {
            throw skip(e);
        }
    }

    private static RuntimeException skip(Programs.Unavailable e) {
        var reason = "no programs: " + e.getMessage();
        return "true".equals(System.getenv("CI"))
                ? new IllegalStateException(reason, e)
                : new TestAbortedException(reason, e);
    }
}
