package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.util.Optional;

/** What is served under an object's own path. */
final class Subresources {
    interface Verb {
        void serve(Verbs verbs, Rooms rooms, Exchange exchange, Address address, ResourceType type);
    }

    private Subresources() {}

    static Optional<Verb> of(String subresource, String method) {
        return Optional.ofNullable(
                switch (subresource + " " + method) {
                    case "status GET" -> Subresources::get;
                    case "status PUT" -> Subresources::putStatus;
                    case "status PATCH" -> Subresources::patch;
                    default -> null;
                });
    }

    private static void get(Verbs verbs, Rooms rooms, Exchange exchange, Address address, ResourceType type) {
        exchange.reply(
                200,
                type,
                rooms.repository()
                        .find(type, address.namespace(), address.name())
                        .orElseThrow(() -> ApiException.notFound(type, address.name())));
    }

    private static void putStatus(Verbs verbs, Rooms rooms, Exchange exchange, Address address, ResourceType type) {
        ObjectNode object = Bodies.object(exchange.body(), exchange.contentType(), type);
        Verbs.Written written = verbs.replace(
                type,
                address.subresource(),
                address.namespace(),
                address.name(),
                object,
                exchange.call("UpdateOptions"));
        exchange.reply(200, type, written.stored());
    }

    private static void patch(Verbs verbs, Rooms rooms, Exchange exchange, Address address, ResourceType type) {
        Verbs.Written written = verbs.patch(
                type,
                address.subresource(),
                address.namespace(),
                address.name(),
                PatchRequest.of(exchange),
                exchange.call("PatchOptions"));
        exchange.reply(200, type, written.stored());
    }
}
