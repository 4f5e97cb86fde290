package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import dev.berth.web.ErrorBody;
import io.helidon.http.HttpException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a request comes in: finds out what it is about and which verb it asks for, and lets that verb answer. */
public final class Front {
    private static final Logger log = LoggerFactory.getLogger(Front.class);
    private static final int WATCH_BUFFER = 64 << 10;

    private final Rooms rooms;
    private final Verbs verbs;
    private final Plain plain;
    private final BooleanSupplier stopping;

    Front(Rooms rooms, Verbs verbs, Plain plain, BooleanSupplier stopping) {
        this.rooms = rooms;
        this.verbs = verbs;
        this.plain = plain;
        this.stopping = stopping;
    }

    /** How errors look that the HTTP server finds by itself. */
    public static final ErrorBody ERRORS = (code, message) -> Json.bytes(
            switch (code) {
                case 413 ->
                    new ApiException(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728", null)
                            .toStatus();
                case 404 -> ApiException.noResource().toStatus();
                default ->
                    new ApiException(code, code >= 500 ? "InternalError" : "BadRequest", message, null).toStatus();
            });

    /** Takes every request of a listener. */
    public void routes(HttpRouting.Builder routing) {
        routing.any(this::handle);
    }

    private void handle(ServerRequest request, ServerResponse response) {
        var exchange = new Exchange(request, response);
        try {
            if (plain.handles(exchange)) return;
            serve(exchange);
        } catch (ApiException refused) {
            exchange.refuse(refused);
        } catch (HttpException | UncheckedIOException transport) {
            throw transport;
        } catch (RuntimeException broken) {
            log.error("method={} path={} failed", exchange.method(), exchange.path(), broken);
            exchange.refuse(ApiException.internal(String.valueOf(broken.getMessage())));
        }
    }

    private void serve(Exchange exchange) {
        Address address = Address.of(exchange.path()).orElseThrow(ApiException::noResource);
        ResourceType type = rooms.catalog()
                .byPath(address.group(), address.version(), address.plural())
                .orElseThrow(ApiException::noResource);
        if (type.namespaced()
                && address.namespace().isEmpty()
                && !address.name().isEmpty()) {
            throw ApiException.noResource();
        }
        if (!address.subresource().isEmpty()) {
            serveSubresource(exchange, address, type);
            return;
        }
        Query query = exchange.query();
        boolean named = !address.name().isEmpty();
        switch (exchange.method()) {
            case "GET", "HEAD" -> {
                if (query.flag("watch") || address.legacyWatch()) watch(exchange, address, type);
                else if (named) get(exchange, address, type);
                else list(exchange, address, type);
            }
            case "POST" -> {
                if (named || (type.namespaced() && address.namespace().isEmpty()))
                    throw ApiException.methodNotAllowed();
                create(exchange, address, type);
            }
            case "PUT" -> {
                if (!named) throw ApiException.methodNotAllowed();
                update(exchange, address, type);
            }
            case "PATCH" -> {
                if (!named) throw ApiException.methodNotAllowed();
                patch(exchange, address, type);
            }
            case "DELETE" -> {
                if (named) delete(exchange, address, type);
                else deleteAll(exchange, address, type);
            }
            default -> throw ApiException.methodNotAllowed();
        }
    }

    private static void require(ResourceType type, String verb) {
        if (!type.verbs().contains(verb)) throw ApiException.methodNotAllowed();
    }

    private void get(Exchange exchange, Address address, ResourceType type) {
        require(type, "get");
        Stored stored = rooms.repository()
                .find(type, address.namespace(), address.name())
                .orElseThrow(() -> ApiException.notFound(type, address.name()));
        exchange.reply(200, type, stored);
    }

    private void list(Exchange exchange, Address address, ResourceType type) {
        require(type, "list");
        Selection selection = Selection.of(type, address.namespace(), "", exchange.query());
        Listing.Page page = new Listing(rooms.repository().store())
                .list(rooms.repository().table(type), selection, exchange.query());
        exchange.reply(200, type, page);
    }

    private void watch(Exchange exchange, Address address, ResourceType type) {
        require(type, "watch");
        Selection selection = Selection.of(type, address.namespace(), address.name(), exchange.query());
        var watching = new Watching(
                rooms.repository().store(), type, exchange.view(type), selection, exchange.query(), stopping);
        try (OutputStream out = new BufferedOutputStream(exchange.stream(), WATCH_BUFFER)) {
            out.flush();
            watching.run(rooms.repository().table(type), out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void create(Exchange exchange, Address address, ResourceType type) {
        require(type, "create");
        ObjectNode object = Bodies.object(exchange.body(), exchange.contentType(), type);
        Stored stored = verbs.create(type, address.namespace(), object, exchange.call("CreateOptions"));
        exchange.reply(201, type, stored);
    }

    private void update(Exchange exchange, Address address, ResourceType type) {
        require(type, "update");
        ObjectNode object = Bodies.object(exchange.body(), exchange.contentType(), type);
        Verbs.Written written =
                verbs.replace(type, "", address.namespace(), address.name(), object, exchange.call("UpdateOptions"));
        exchange.reply(written.created() ? 201 : 200, type, written.stored());
    }

    private void patch(Exchange exchange, Address address, ResourceType type) {
        require(type, "patch");
        Verbs.Written written = verbs.patch(
                type,
                "",
                address.namespace(),
                address.name(),
                PatchRequest.of(exchange),
                exchange.call("PatchOptions"));
        exchange.reply(written.created() ? 201 : 200, type, written.stored());
    }

    private void delete(Exchange exchange, Address address, ResourceType type) {
        require(type, "delete");
        DeleteOptions options = DeleteOptions.of(deleteBody(exchange), exchange.query());
        Removal.Outcome outcome =
                verbs.delete(type, address.namespace(), address.name(), options, exchange.call("DeleteOptions"));
        if (!outcome.gone() || Traits.returnsDeleted(type)) {
            exchange.reply(200, type, outcome.shown());
        } else {
            exchange.reply(
                    200,
                    Removal.success(
                            type, address.name(), outcome.shown().facts().uid()));
        }
    }

    private void deleteAll(Exchange exchange, Address address, ResourceType type) {
        require(type, "deletecollection");
        if (type.namespaced() && address.namespace().isEmpty()) throw ApiException.methodNotAllowed();
        DeleteOptions options = DeleteOptions.of(deleteBody(exchange), exchange.query());
        Selection selection = Selection.of(type, address.namespace(), "", exchange.query());
        Listing.Page page = verbs.deleteAll(type, selection, exchange.query(), options, exchange.call("DeleteOptions"));
        exchange.reply(200, type, page);
    }

    private static JsonNode deleteBody(Exchange exchange) {
        byte[] body = exchange.body();
        return body.length == 0
                ? MissingNode.getInstance()
                : Bodies.tree(body, exchange.contentType(), "DeleteOptions");
    }

    private void serveSubresource(Exchange exchange, Address address, ResourceType type) {
        if (!type.subresources().contains(address.subresource())) throw ApiException.noResource();
        Optional<Subresources.Verb> verb = Subresources.of(address.subresource(), exchange.method());
        verb.orElseThrow(ApiException::methodNotAllowed).serve(verbs, rooms, exchange, address, type);
    }
}
