package dev.berth.apiserver;

import dev.berth.apiserver.admission.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bearer tokens in a file, as kube-apiserver's {@code --token-auth-file}: {@code token,user,uid,"group1,group2"}. */
public final class TokenFile {
    private TokenFile() {}

    public static Map<String, User> read(Path file) throws IOException {
        Map<String, User> users = new LinkedHashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) continue;
            List<String> columns = columns(line);
            if (columns.size() < 3 || columns.getFirst().isEmpty()) {
                throw new IOException("%s:%d: expected token,user,uid and perhaps groups".formatted(file, number));
            }
            List<String> groups = new ArrayList<>();
            if (columns.size() > 3) {
                for (String group : columns.get(3).split(",")) if (!group.isBlank()) groups.add(group.strip());
            }
            groups.add("system:authenticated");
            users.put(columns.getFirst(), new User(columns.get(1), columns.get(2), groups));
        }
        return users;
    }

    private static List<String> columns(String line) {
        List<String> columns = new ArrayList<>();
        var column = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char each = line.charAt(i);
            if (each == '"') {
                quoted = !quoted;
            } else if (each == ',' && !quoted) {
                columns.add(column.toString().strip());
                column.setLength(0);
            } else {
                column.append(each);
            }
        }
        columns.add(column.toString().strip());
        return columns;
    }
}
