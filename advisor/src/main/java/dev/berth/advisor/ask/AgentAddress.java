package dev.berth.advisor.ask;

import java.net.URI;

/** Where the agent is: {@code http://scheduler-agent:8080}. A path before {@code /v1} is kept. */
public record AgentAddress(URI uri) {
    /** @throws IllegalArgumentException if it is not the http or https address of a host */
    public AgentAddress {
        var scheme = uri.getScheme();
        if (uri.getHost() == null || !("http".equals(scheme) || "https".equals(scheme)) || uri.getQuery() != null) {
            throw new IllegalArgumentException("'%s' is not an http or https address".formatted(uri));
        }
    }

    /** @param path begins with a slash */
    public URI at(String path) {
        return URI.create(uri.toString().replaceFirst("/+$", "") + path);
    }
}
