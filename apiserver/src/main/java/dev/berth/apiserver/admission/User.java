package dev.berth.apiserver.admission;

import java.util.List;

/** Who asks. */
public record User(String name, String uid, List<String> groups) {
    /** What the server's own controllers and nodes write as. */
    public static User system(String component) {
        return new User("system:" + component, "", List.of("system:authenticated"));
    }
}
