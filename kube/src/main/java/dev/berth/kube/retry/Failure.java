package dev.berth.kube.retry;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;

/** Why a request did not succeed, as far as it matters for what to do next. */
public enum Failure {
    /** 404: not there. */
    ABSENT,
    /** 409: somebody was faster, or it is there already. */
    CONFLICT,
    /** 401, 403, 405, 413, 422 and other words of the server that will not change by asking again. */
    REFUSED,
    /** 429, or 503 from a server that did not get to it: surely not done. */
    TURNED_AWAY,
    /** No connection came about: surely not done. */
    UNREACHABLE,
    /** 500, 502, 504, a time-out or a broken connection: perhaps done, perhaps not. */
    UNKNOWN;

    public static Failure of(KubernetesClientException problem) {
        int code = problem.getCode();
        // fabric8 has no code where no answer came.
        if (code <= 0) {
            return ofConnection(problem);
        }
        return switch (code) {
            case 404 -> ABSENT;
            case 409 -> CONFLICT;
            case 429, 503 -> TURNED_AWAY;
            default -> code >= 500 ? UNKNOWN : REFUSED;
        };
    }

    private static Failure ofConnection(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case ConnectException _,
                        UnknownHostException _,
                        HttpConnectTimeoutException _,
                        UnresolvedAddressException _ -> {
                    return UNREACHABLE;
                }
                default -> {}
            }
        }
        return UNKNOWN;
    }

    /** The server's own words, or what is wrong with the connection. */
    public static String words(KubernetesClientException problem) {
        if (problem.getStatus() != null && problem.getStatus().getMessage() != null) {
            return problem.getStatus().getMessage();
        }
        // Without an answer the cause tells more than fabric8's "Operation … failed".
        Throwable cause = problem;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }
}
