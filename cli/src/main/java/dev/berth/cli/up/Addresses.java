package dev.berth.cli.up;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who can be reached where. */
public final class Addresses {
    private Addresses() {}

    /** False for a name that nobody knows. */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
