package dev.berth.apiserver.rest;

import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code spec.nodeName=a,status.phase!=Failed}: which values an object's fields must have. */
final class FieldSelector {
    static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private static final int NAME = -1;
    private static final int NAMESPACE = -2;

    private record Requirement(int field, boolean equal, String value) {
        boolean matches(String key, Stored stored) {
            String found = switch (field) {
                case NAME -> key.substring(key.indexOf('/') + 1);
                case NAMESPACE -> key.indexOf('/') < 0 ? "" : key.substring(0, key.indexOf('/'));
                default -> stored.facts().fields().get(field);
            };
            return found.equals(value) == equal;
        }
    }

    private final List<Requirement> requirements;

    private FieldSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    boolean isEverything() {
        return requirements.isEmpty();
    }

    boolean matches(String key, Stored stored) {
        for (Requirement each : requirements) if (!each.matches(key, stored)) return false;
        return true;
    }

    static FieldSelector named(String name) {
        return new FieldSelector(List.of(new Requirement(NAME, true, name)));
    }

    FieldSelector and(FieldSelector other) {
        List<Requirement> both = new ArrayList<>(requirements);
        both.addAll(other.requirements);
        return new FieldSelector(both);
    }

    /** The one name that can match, when the selector names one. */
    Optional<String> name() {
        for (Requirement each : requirements) {
            if (each.field == NAME && each.equal) return Optional.of(each.value);
        }
        return Optional.empty();
    }

    static FieldSelector parse(ResourceType type, String text) {
        if (text.isEmpty()) return EVERYTHING;
        List<Requirement> all = new ArrayList<>();
        for (String term : terms(text)) {
            if (term.isEmpty()) continue;
            int at = operator(term);
            if (at < 0) {
                throw ApiException.badRequest("invalid selector: '%s'; can't understand '%s'".formatted(text, term));
            }
            boolean equal = term.charAt(at) != '!';
            int length = term.startsWith("==", at) || !equal ? 2 : 1;
            all.add(new Requirement(field(type, term.substring(0, at)), equal, unescape(term.substring(at + length))));
        }
        return new FieldSelector(all);
    }

    private static int field(ResourceType type, String label) {
        if (label.equals("metadata.name")) return NAME;
        if (label.equals("metadata.namespace")
                && (type.namespaced() || SelectableFields.of(type).isEmpty())) {
            return NAMESPACE;
        }
        Integer index = SelectableFields.index(type, label);
        if (index != null) return index;
        throw ApiException.badRequest(refusal(type, label));
    }

    private static String refusal(ResourceType type, String label) {
        return switch (type.storageKey()) {
            case "jobs.batch" -> "field label \"%s\" not supported for Job".formatted(label);
            case "resourceslices.resource.k8s.io" ->
                "field label not supported for %s, Kind=ResourceSlice: %s".formatted(type.apiVersion(), label);
            default ->
                SelectableFields.of(type).isEmpty() && !Traits.custom(type)
                        ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                                .formatted(label)
                        : "field label not supported: " + label;
        };
    }

    private static int operator(String term) {
        for (int i = 0; i < term.length(); i++) {
            char each = term.charAt(i);
            if (each == '\\') i++;
            else if (each == '=') return i;
            else if (each == '!' && i + 1 < term.length() && term.charAt(i + 1) == '=') return i;
        }
        return -1;
    }

    private static List<String> terms(String text) {
        List<String> terms = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '\\') {
                i++;
            } else if (each == ',') {
                terms.add(text.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(text.substring(start));
        return terms;
    }

    private static String unescape(String value) {
        if (value.indexOf('\\') < 0) return value;
        var plain = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            plain.append(each == '\\' && i + 1 < value.length() ? value.charAt(++i) : each);
        }
        return plain.toString();
    }
}
