package dev.berth.apiserver.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How Go reads and writes one type as JSON. */
sealed interface Shape {
    /** The type's name in the messages of Go's decoder. */
    String goType();

    record Text(String goType) implements Shape {}

    record Numeric(String goType) implements Shape {}

    record Flag(String goType) implements Shape {}

    record Bytes(String goType) implements Shape {}

    record Amount(String goType) implements Shape {}

    /** Resource names to quantities, rounded up to thousandths. */
    record Amounts(String goType) implements Shape {}

    record Time(String goType, boolean micro) implements Shape {}

    record IntOrString(String goType) implements Shape {}

    /** Kept as it is. */
    record Any(String goType) implements Shape {}

    record Pointer(Shape to) implements Shape {
        @Override
        public String goType() {
            return to.goType();
        }
    }

    record Items(Shape of) implements Shape {
        @Override
        public String goType() {
            return "[]" + of.goType();
        }
    }

    record Entries(String key, Shape of) implements Shape {
        @Override
        public String goType() {
            return "map[" + key + "]" + of.goType();
        }
    }

    /** What Go does with a field that holds nothing: {@code omitempty}, {@code omitzero} or neither. */
    enum Empty {
        DROPPED,
        DROPPED_IF_ZERO,
        WRITTEN
    }

    record Field(String name, Empty empty, Shape shape) {
        /** Structs and times are written even when {@code omitempty}: Go knows no empty struct. */
        boolean alwaysWritten() {
            return switch (empty) {
                case WRITTEN -> true;
                case DROPPED_IF_ZERO -> false;
                case DROPPED ->
                    switch (shape) {
                        case Struct _, Time _, Amount _, IntOrString _ -> true;
                        case Text _, Numeric _, Flag _, Bytes _, Amounts _, Any _, Pointer _, Items _, Entries _ ->
                            false;
                    };
            };
        }
    }

    /** Filled after all types are known, because types refer to one another. */
    final class Struct implements Shape {
        private final String name;
        private final Map<String, Field> fields = new HashMap<>();
        private final List<Field> written = new ArrayList<>();

        Struct(String name) {
            this.name = name;
        }

        void add(Field field) {
            fields.put(field.name(), field);
            if (field.alwaysWritten()) written.add(field);
        }

        @Nullable
        Field field(String field) {
            return fields.get(field);
        }

        List<Field> alwaysWritten() {
            return written;
        }

        /** {@code PodSpec}. */
        String simpleName() {
            return name.substring(name.indexOf('.') + 1);
        }

        /** {@code v1.PodSpec}. */
        @Override
        public String goType() {
            return name.substring(name.indexOf('/') + 1);
        }
    }
}
