package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;

/** Writes a status when it says something new. */
final class Statuses {
    private Statuses() {}

    static void write(Cluster cluster, Resource resource, ObjectNode object, ObjectNode status) {
        if (status.equals(object.get("status"))) return;
        cluster.modifyStatus(resource, object, live -> {
            if (status.equals(live.get("status"))) return false;
            live.set("status", status);
            return true;
        });
    }
}
