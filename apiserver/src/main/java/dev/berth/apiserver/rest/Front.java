package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.NotKeptException;
import dev.berth.apiserver.store.Stored;
import dev.berth.web.ErrorBody;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
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
    private final Gate gate;
    private final Reviews reviews;
    private final Subresources subresources;
    private final BooleanSupplier stopping;

    Front(Rooms rooms, Verbs verbs, Plain plain, Gate gate, BooleanSupplier stopping) {
        this.rooms = rooms;
        this.verbs = verbs;
        this.plain = plain;
        this.gate = gate;
        this.reviews = new Reviews(rooms, gate);
        this.subresources = new Subresources(rooms, verbs);
        this.stopping = stopping;
    }

    /** How errors look that the HTTP server finds by itself. */
    public static final ErrorBody ERRORS = (code, message) -> Json.bytes(
            switch (code) {
                case 413 -> ApiException.tooLargeBody(3L << 20).toStatus();
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
            String[] parts = Address.split(exchange.path());
            if (!Plain.isOpen(parts)) exchange.enter(gate.admit(request));
            if (Plain.isResource(parts)) serve(exchange);
            else plain.serve(exchange, parts);
        } catch (ApiException refused) {
            exchange.reply().refuse(refused);
        } catch (NotKeptException refused) {
            // The journal has said in the log what is wrong.
            exchange.reply().refuse(ApiException.internal(String.valueOf(refused.getMessage())));
        } catch (HttpException | CloseConnectionException | UncheckedIOException transport) {
            throw transport;
        } catch (RuntimeException broken) {
            log.error("method={} path={} failed", exchange.method(), exchange.path(), broken);
            exchange.reply().refuse(ApiException.internal(String.valueOf(broken.getMessage())));
        }
    }

    private void serve(Exchange exchange) {
        Accept.of(exchange.accept(), true);
        Address address = Address.of(exchange.path()).orElseThrow(ApiException::noResource);
        Optional<ResourceType> found = rooms.catalog().byPath(address.group(), address.version(), address.plural());
        if (found.isEmpty() && plain.isOfNobody(address.group())) {
            Plain.nothing(exchange);
            return;
        }
        ResourceType type = found.orElseThrow(ApiException::noResource);
        boolean misplaced = !type.namespaced()
                && !address.namespace().isEmpty()
                && !type.storageKey().equals("namespaces");
        if (misplaced && rooms.catalog().isCustom(type)) {
            Plain.nothing(exchange);
            return;
        }
        if (misplaced) throw ApiException.noResource();
        if (type.namespaced()
                && address.namespace().isEmpty()
                && !address.name().isEmpty()) {
            throw ApiException.noResource();
        }
        if (!address.subresource().isEmpty()) {
            subresources.serve(exchange, address, type);
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
        exchange.reply().object(200, rooms, type, stored, exchange.query());
    }

    private void list(Exchange exchange, Address address, ResourceType type) {
        require(type, "list");
        Selection selection = Selection.of(type, address.namespace(), "", exchange.query());
        Listing.Page page = new Listing(rooms.repository().store())
                .list(rooms.repository().table(type), selection, exchange.query());
        exchange.reply().page(200, rooms, type, page, exchange.query());
    }

    private void watch(Exchange exchange, Address address, ResourceType type) {
        require(type, "watch");
        if (exchange.header(HeaderNames.UPGRADE).equalsIgnoreCase("websocket")) {
            // A client that tries a WebSocket first takes a 200 as the hint to ask again by plain HTTP, and at once.
            exchange.reply().text(200, "this server has no watches over a WebSocket\n");
            return;
        }
        Selection selection = Selection.of(type, address.namespace(), address.name(), exchange.query());
        var watching = new Watching(
                rooms.repository().store(),
                type,
                exchange.reply().view(rooms, type, exchange.query()),
                selection,
                exchange.query(),
                stopping);
        try (OpenReply reply = exchange.reply().stream()) {
            watching.run(rooms.repository().table(type), new BufferedOutputStream(reply.out(), WATCH_BUFFER));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void create(Exchange exchange, Address address, ResourceType type) {
        require(type, "create");
        if (Reviews.isReview(type)) {
            reviews.answer(exchange, type);
            return;
        }
        if (type.qualifiedPlural().equals("bindings")) {
            subresources.bind(exchange, address.namespace());
            return;
        }
        Call call = exchange.call("CreateOptions");
        ObjectNode object = exchange.object(rooms.decoder(), type, call);
        Stored stored = verbs.create(type, address.namespace(), object, call);
        exchange.reply().object(201, rooms, type, stored, exchange.query());
    }

    private void update(Exchange exchange, Address address, ResourceType type) {
        require(type, "update");
        Call call = exchange.call("UpdateOptions");
        ObjectNode object = exchange.object(rooms.decoder(), type, call);
        show(exchange, type, verbs.replace(type, "", address.namespace(), address.name(), object, call));
    }

    private void patch(Exchange exchange, Address address, ResourceType type) {
        require(type, "patch");
        Call call = exchange.call("PatchOptions");
        PatchRequest patch = PatchRequest.of(exchange, type);
        show(exchange, type, verbs.patch(type, "", address.namespace(), address.name(), patch, call));
    }

    private void show(Exchange exchange, ResourceType type, Verbs.Written written) {
        exchange.reply().object(written.created() ? 201 : 200, rooms, type, written.stored(), exchange.query());
    }

    private void delete(Exchange exchange, Address address, ResourceType type) {
        require(type, "delete");
        JsonNode body = deleteBody(exchange);
        DeleteOptions options = DeleteOptions.of(body, exchange.query());
        Call call = deleteCall(exchange, body);
        Removal.Outcome outcome = verbs.delete(type, address.namespace(), address.name(), options, call);
        if (!outcome.gone() || Traits.returnsDeleted(type)) {
            exchange.reply().object(200, rooms, type, outcome.shown(), exchange.query());
        } else {
            String uid = outcome.shown().facts().uid();
            exchange.reply().tree(200, Removal.success(type, address.name(), uid));
        }
    }

    private void deleteAll(Exchange exchange, Address address, ResourceType type) {
        require(type, "deletecollection");
        if (type.namespaced() && address.namespace().isEmpty()) throw ApiException.methodNotAllowed();
        JsonNode body = deleteBody(exchange);
        DeleteOptions options = DeleteOptions.of(body, exchange.query());
        Selection selection = Selection.of(type, address.namespace(), "", exchange.query());
        Listing.Page page = verbs.deleteAll(type, selection, exchange.query(), options, deleteCall(exchange, body));
        exchange.reply().page(200, rooms, type, page, exchange.query());
    }

    private JsonNode deleteBody(Exchange exchange) {
        if (exchange.body().length == 0) return MissingNode.getInstance();
        return exchange.object(rooms.decoder(), "v1", "DeleteOptions", exchange.call("DeleteOptions"));
    }

    /** A deletion may say in its body that it is a dry run. */
    private static Call deleteCall(Exchange exchange, JsonNode body) {
        Call call = exchange.call("DeleteOptions");
        List<String> dryRun = new ArrayList<>();
        body.path("dryRun").forEach(each -> dryRun.add(each.asText()));
        if (dryRun.isEmpty()) return call;
        Exchange.checkDryRun("DeleteOptions", dryRun);
        return call.asDryRun();
    }
}
