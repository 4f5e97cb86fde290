package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Does the pod tolerate the taints that keep pods away? */
public final class Taints {
    static final String CODE = "taint";
    static final String UNTOLERATED = "node(s) had untolerated taint(s)";

    private Taints() {}

    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        return untolerated(pod, node).map(taint -> new Unfit(CODE, UNTOLERATED, words(taint)));
    }

    static Optional<Taint> untolerated(PodNeeds pod, NodeRoom node) {
        // Every decision asks this of every node, and most nodes have none: a stream would cost more than the answer.
        for (var taint : node.taints()) {
            boolean keepsAway = "NoSchedule".equals(taint.getEffect()) || "NoExecute".equals(taint.getEffect());
            if (keepsAway && !tolerated(pod.tolerations(), taint)) {
                return Optional.of(taint);
            }
        }
        return Optional.empty();
    }

    static boolean tolerated(List<Toleration> tolerations, Taint taint) {
        return tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint));
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        var effect = text(toleration.getEffect());
        var key = text(toleration.getKey());
        if ((!effect.isEmpty() && !effect.equals(taint.getEffect()))
                || (!key.isEmpty() && !key.equals(taint.getKey()))) {
            return false;
        }
        return switch (text(toleration.getOperator())) {
            case "", "Equal" -> text(toleration.getValue()).equals(text(taint.getValue()));
            case "Exists" -> true;
            case "Lt" -> compare(taint, toleration) < 0;
            case "Gt" -> compare(taint, toleration) > 0;
            default -> false;
        };
    }

    /** The taint's number against the toleration's; 0, which no operator takes, if one of them is none. */
    private static int compare(Taint taint, Toleration toleration) {
        var theirs = number(text(taint.getValue()));
        var ours = number(text(toleration.getValue()));
        return theirs.isPresent() && ours.isPresent() ? Long.compare(theirs.getAsLong(), ours.getAsLong()) : 0;
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return OptionalLong.empty();
        }
    }

    private static String words(Taint taint) {
        var value = text(taint.getValue());
        return "%s%s:%s".formatted(taint.getKey(), value.isEmpty() ? "" : "=" + value, taint.getEffect());
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
