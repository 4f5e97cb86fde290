package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.User;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.status.ApiException;
import java.util.Optional;
import java.util.Set;

/** Questions that are asked by creating them: who am I, may I, is this token good. Nothing is stored. */
final class Reviews {
    private static final Set<String> GROUPS = Set.of("authentication.k8s.io", "authorization.k8s.io");

    private final Rooms rooms;
    private final Gate gate;

    Reviews(Rooms rooms, Gate gate) {
        this.rooms = rooms;
        this.gate = gate;
    }

    static boolean isReview(ResourceType type) {
        return GROUPS.contains(type.group());
    }

    void answer(Exchange exchange, ResourceType type) {
        Call call = exchange.call("CreateOptions");
        ObjectNode review = exchange.object(rooms.decoder(), type, call);
        ObjectNode metadata = Metadata.of(review);
        switch (type.kind()) {
            case "SelfSubjectReview" -> {
                metadata.put("creationTimestamp", Metadata.time(rooms.clock().instant()));
                describe(review.putObject("status").putObject("userInfo"), exchange.user());
            }
            case "SelfSubjectRulesReview" -> everything(review);
            case "TokenReview" -> {
                recordManager(type, review, call);
                token(review);
            }
            case "SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview" -> {
                recordManager(type, review, call);
                // Access is not restricted here: who gets in may do everything.
                review.putObject("status").put("allowed", true);
            }
            default -> throw ApiException.methodNotAllowed();
        }
        exchange.reply().tree(201, review);
    }

    private void recordManager(ResourceType type, ObjectNode review, Call call) {
        new FieldManager(call.manager(), type, "", rooms.clock().instant()).recordUpdate(null, review);
    }

    private void token(ObjectNode review) {
        Optional<User> user = gate.byToken(review.path("spec").path("token").asText(""));
        ObjectNode status = review.putObject("status");
        if (user.isEmpty()) {
            status.putObject("user");
            status.put("error", "invalid bearer token");
            return;
        }
        status.put("authenticated", true);
        describe(status.putObject("user"), user.get());
        status.putArray("audiences").add("https://kubernetes.default.svc");
    }

    private static void describe(ObjectNode target, User user) {
        target.put("username", user.name());
        if (!user.uid().isEmpty()) target.put("uid", user.uid());
        ArrayNode groups = target.putArray("groups");
        user.groups().forEach(groups::add);
    }

    private static void everything(ObjectNode review) {
        review.putObject("spec");
        ObjectNode status = review.putObject("status");
        ObjectNode rule = status.putArray("resourceRules").addObject();
        rule.putArray("verbs").add("*");
        rule.putArray("apiGroups").add("*");
        rule.putArray("resources").add("*");
        ObjectNode plain = status.putArray("nonResourceRules").addObject();
        plain.putArray("verbs").add("*");
        plain.putArray("nonResourceURLs").add("*");
        status.put("incomplete", false);
    }
}
