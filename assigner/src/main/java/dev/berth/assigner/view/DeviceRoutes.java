package dev.berth.assigner.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.web.page.RowStream;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/**
 * {@code GET /devices}, and {@code GET /devices/stream}: server-sent events, first one {@code devices} with all of
 * them, then a {@code change} with those that look different, null for one that is gone.
 */
public final class DeviceRoutes {
    private final RowStream stream;

    public DeviceRoutes(DeviceBoard board) {
        this.stream = new RowStream("devices", board.changes(), board::devices);
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.get("/devices", this::answer).get("/devices/stream", stream::answer);
    }

    /** Ends the streams, so that a server that stops need not wait for them. */
    public void close() {
        stream.close();
    }

    /** What {@code GET /devices} answers. */
    public ObjectNode all() {
        return stream.all();
    }

    private void answer(ServerRequest request, ServerResponse response) {
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(all().toString());
    }
}
