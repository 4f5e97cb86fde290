package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Discovery;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;

/** What is served under an object's own path: {@code status}, {@code scale}, {@code binding} and the like. */
final class Subresources {
    private final Rooms rooms;
    private final Verbs verbs;
    private final PodVerbs pods;
    private final Scales scales;

    Subresources(Rooms rooms, Verbs verbs) {
        this.rooms = rooms;
        this.verbs = verbs;
        this.pods = new PodVerbs(rooms, verbs);
        this.scales = new Scales(rooms, verbs);
    }

    void serve(Exchange exchange, Address address, ResourceType type) {
        String subresource = address.subresource();
        if (!type.subresources().contains(subresource)) {
            throw rooms.catalog().isCustom(type)
                    ? ApiException.notFound(type, address.name())
                    : ApiException.noResource();
        }
        String verb = verb(exchange.method());
        if (!Discovery.verbs(type, subresource).contains(verb)) throw ApiException.methodNotAllowed();
        switch (subresource) {
            case "status" -> status(exchange, address, type, verb);
            case "scale" -> scales.serve(exchange, address, type, verb);
            case "binding" -> pods.bind(exchange, address.namespace(), address.name());
            case "eviction" -> pods.evict(exchange, address, type);
            case "finalize" -> finalizers(exchange, address, type);
            default -> {
                find(address, type);
                throw ApiException.notImplemented(type.plural() + "/" + subresource);
            }
        }
    }

    /** The older address of a binding, {@code /namespaces/x/bindings}. */
    void bind(Exchange exchange, String namespace) {
        pods.bind(exchange, namespace, "");
    }

    private static String verb(String method) {
        return switch (method) {
            case "GET", "HEAD" -> "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "";
        };
    }

    private Stored find(Address address, ResourceType type) {
        return rooms.repository()
                .find(type, address.namespace(), address.name())
                .orElseThrow(() -> ApiException.notFound(type, address.name()));
    }

    private void status(Exchange exchange, Address address, ResourceType type, String verb) {
        Stored stored = switch (verb) {
            case "get" -> find(address, type);
            case "update" -> {
                Call call = exchange.call("UpdateOptions");
                ObjectNode object = exchange.object(rooms.decoder(), type, call);
                yield verbs.replace(type, "status", address.namespace(), address.name(), object, call)
                        .stored();
            }
            default -> {
                Call call = exchange.call("PatchOptions");
                PatchRequest patch = PatchRequest.of(exchange, type);
                yield verbs.patch(type, "status", address.namespace(), address.name(), patch, call)
                        .stored();
            }
        };
        exchange.reply().object(200, rooms, type, stored, exchange.query());
    }

    /** The namespace's own finalizers, which nobody can write elsewhere. */
    private void finalizers(Exchange exchange, Address address, ResourceType type) {
        Call call = exchange.call("UpdateOptions");
        ObjectNode object = exchange.object(rooms.decoder(), type, call);
        Stored stored = verbs.finalizeNamespace(address.name(), object, call);
        exchange.reply().object(200, rooms, type, stored, exchange.query());
    }
}
