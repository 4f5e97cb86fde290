package dev.berth.apiserver.rest;

import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.store.Stored;
import java.nio.charset.StandardCharsets;

/** The form in which a client wants to see objects. */
interface View {
    /** What stands before the stored bytes without their first brace; with it they are one whole object. */
    byte[] object(Stored stored);

    /** As an item of a list. */
    byte[] item(Stored stored);

    String listKind();

    String listApiVersion();

    /** The objects as they are. */
    final class Whole implements View {
        private final ResourceType type;
        private final byte[] head;
        private final boolean typedItems;

        Whole(ResourceType type) {
            this.type = type;
            this.head = Json.head(type.apiVersion(), type.kind());
            this.typedItems = Traits.custom(type);
        }

        @Override
        public byte[] object(Stored stored) {
            byte[] body = stored.json();
            byte[] whole = new byte[head.length + body.length - 1];
            System.arraycopy(head, 0, whole, 0, head.length);
            System.arraycopy(body, 1, whole, head.length, body.length - 1);
            return whole;
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

    /** Only the metadata. */
    final class Partial implements View {
        private static final byte[] HEAD =
                "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                        .getBytes(StandardCharsets.UTF_8);

        private final ResourceType type;

        Partial(ResourceType type) {
            this.type = type;
        }

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
        public byte[] item(Stored stored) {
            return object(stored);
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
}
