package dev.berth.kube.event;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Something to tell about an object: equal ones are counted, not repeated. */
public record Happening(ObjectReference regarding, Type type, String reason, String action, String note) {
    private static final int LONGEST_NOTE = 1024;
    private static final String CUT = "…";

    /** Kubernetes knows two. */
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String label;

        Type(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    public Happening {
        if (reason.isBlank() || action.isBlank()) {
            throw new IllegalArgumentException("an event has a reason and an action");
        }
        note = cut(note);
    }

    /** About this object. */
    public static Happening about(HasMetadata object, Type type, String reason, String action, String note) {
        var metadata = object.getMetadata();
        return new Happening(
                regarding(object, metadata.getNamespace(), metadata.getName(), metadata.getUid()),
                type,
                reason,
                action,
                note);
    }

    /** The same for a pod of which no more is known than who it is. */
    public static Happening aboutPod(
            String namespace, String name, String uid, Type type, String reason, String action, String note) {
        return new Happening(regarding(new Pod(), namespace, name, uid), type, reason, action, note);
    }

    private static ObjectReference regarding(HasMetadata kind, @Nullable String namespace, String name, String uid) {
        var regarding = new ObjectReference();
        regarding.setApiVersion(kind.getApiVersion());
        regarding.setKind(kind.getKind());
        regarding.setNamespace(namespace);
        regarding.setName(name);
        regarding.setUid(uid);
        return regarding;
    }

    /** Kubernetes counts bytes and refuses the event if there are more; a cut never splits a character. */
    static String cut(String note) {
        if (note.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NOTE) {
            return note;
        }
        int room = LONGEST_NOTE - CUT.getBytes(StandardCharsets.UTF_8).length;
        int end = 0;
        int bytes = 0;
        while (end < note.length()) {
            int character = note.codePointAt(end);
            bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > room) {
                break;
            }
            end += Character.charCount(character);
        }
        return note.substring(0, end) + CUT;
    }
}
