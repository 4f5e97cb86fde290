package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Tables;
import dev.berth.apiserver.store.Stored;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The form in which a client wants to see objects, one at a time. */
interface View {
    byte[] object(Stored stored);

    default void write(Stored stored, OutputStream out) throws IOException {
        out.write(object(stored));
    }

    /** As an item of a list. */
    default byte[] item(Stored stored) {
        return object(stored);
    }

    String listKind();

    String listApiVersion();

    /** The objects as they are: their bytes behind the words that name their kind. */
    final class Whole implements View {
        private final ResourceType type;
        private final byte[] head;
        private final boolean typedItems;

        Whole(ResourceType type, boolean custom) {
            this.type = type;
            this.head = Json.head(type.apiVersion(), type.kind());
            this.typedItems = custom;
        }

        @Override
        public byte[] object(Stored stored) {
            byte[] body = stored.json();
            byte[] whole = new byte[head.length + body.length - 1];
            System.arraycopy(head, 0, whole, 0, head.length);
            System.arraycopy(body, 1, whole, head.length, body.length - 1);
            return whole;
        }

        @Override
        public void write(Stored stored, OutputStream out) throws IOException {
            byte[] body = stored.json();
            out.write(head);
            out.write(body, 1, body.length - 1);
        }

        /** Kubernetes leaves kind and apiVersion out of the items of its own lists, but not of custom resources'. */
        @Override
        public byte[] item(Stored stored) {
            return typedItems ? object(stored) : stored.json();
        }

        @Override
        public String listKind() {
            return type.listKind();
        }

        @Override
        public String listApiVersion() {
            return type.apiVersion();
        }
    }

    /** Objects whose stored form is another version's. */
    record Converted(ResourceType type) implements View {
        @Override
        public byte[] object(Stored stored) {
            return Json.bytes(Json.tree(type, stored));
        }

        @Override
        public byte[] item(Stored stored) {
            ObjectNode tree = Json.tree(type, stored);
            tree.remove("kind");
            tree.remove("apiVersion");
            return Json.bytes(tree);
        }

        @Override
        public String listKind() {
            return type.listKind();
        }

        @Override
        public String listApiVersion() {
            return type.apiVersion();
        }
    }

    /** Only the metadata. */
    record Partial(ResourceType type) implements View {
        private static final byte[] HEAD =
                "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                        .getBytes(StandardCharsets.UTF_8);

        @Override
        public byte[] object(Stored stored) {
            byte[] metadata = Json.bytes(Json.tree(type, stored).path("metadata"));
            byte[] whole = new byte[HEAD.length + metadata.length + 1];
            System.arraycopy(HEAD, 0, whole, 0, HEAD.length);
            System.arraycopy(metadata, 0, whole, HEAD.length, metadata.length);
            whole[whole.length - 1] = '}';
            return whole;
        }

        @Override
        public String listKind() {
            return "PartialObjectMetadataList";
        }

        @Override
        public String listApiVersion() {
            return "meta.k8s.io/v1";
        }
    }

    /** One row each; for watches, where only the first names the columns. */
    final class Rows implements View {
        private final ResourceType type;
        private final Tables tables;
        private final Tables.IncludeObject include;
        private boolean first = true;

        Rows(ResourceType type, Tables tables, Tables.IncludeObject include) {
            this.type = type;
            this.tables = tables;
            this.include = include;
        }

        @Override
        public byte[] object(Stored stored) {
            byte[] bytes = Json.bytes(tables.event(type, Json.tree(type, stored), include, first));
            first = false;
            return bytes;
        }

        @Override
        public String listKind() {
            return "Table";
        }

        @Override
        public String listApiVersion() {
            return "meta.k8s.io/v1";
        }
    }
}
