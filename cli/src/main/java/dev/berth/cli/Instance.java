package dev.berth.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How events and logs name this process among its replicas. */
final class Instance {
    private Instance() {}

    /** The pod's name in a cluster, the machine's elsewhere. */
    static String name(String whenNameless) {
        var pod = System.getenv("HOSTNAME");
        if (pod != null && !pod.isBlank()) {
            return pod;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return whenNameless;
        }
    }
}
