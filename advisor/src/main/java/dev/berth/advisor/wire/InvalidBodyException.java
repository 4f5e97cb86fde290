package dev.berth.advisor.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The body is not what the route takes; every problem is named. */
public final class InvalidBodyException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Invalid> problems;

    InvalidBodyException(List<Invalid> problems) {
        super("invalid body", null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** {@code {"detail":[…]}} */
    public byte[] body() {
        var object = JsonNodeFactory.instance.objectNode();
        var list = object.putArray("detail");
        problems.forEach(problem -> list.add(problem.json()));
        return object.toString().getBytes(StandardCharsets.UTF_8);
    }
}
