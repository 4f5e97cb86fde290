package dev.berth.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** An address to listen on as Go programs write it: {@code 127.0.0.1:3456}, {@code :3456}, {@code [::1]:3456}. */
record HostAndPort(String host, int port) {
    private static final int LARGEST_PORT = 65_535;

    /** As an address holds it: the colons of IPv6 would look like a port's. */
    static String inAddress(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** @throws ParameterException for what is no such address, naming the flag */
    static HostAndPort parse(CommandSpec command, String flag, String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon >= 0 && port >= 0 && port <= LARGEST_PORT) {
                var host = text.substring(0, colon);
                if (host.startsWith("[") && host.endsWith("]")) {
                    host = host.substring(1, host.length() - 1);
                }
                return new HostAndPort(host.isEmpty() ? "0.0.0.0" : host, port);
            }
        } catch (NumberFormatException notAPort) {
            // Said below.
        }
        throw new ParameterException(command.commandLine(), "%s takes host:port, not '%s'".formatted(flag, text));
    }
}
