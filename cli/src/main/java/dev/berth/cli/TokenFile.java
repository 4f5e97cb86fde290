package dev.berth.cli;

import dev.berth.apiserver.admission.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Bearer tokens and their users, in the file format of kube-apiserver's {@code --token-auth-file}:
 * {@code token,user,uid,"group1,group2"}.
 */
final class TokenFile {
    private static final Pattern LINE =
            Pattern.compile("([^,\"]+),([^,\"]+),([^,\"]*)(?:,(?:\"([^\"]*)\"|([^,\"]+)))?");

    private TokenFile() {}

    /** In the order of the file. Tokens never reach a message: a wrong line is named by its number. */
    static Map<String, User> read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new Complaint.BadInput("--token-auth-file: " + file + " cannot be read");
        }
        Map<String, User> users = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) continue;
            var match = LINE.matcher(line);
            if (!match.matches()) {
                throw new Complaint.BadInput(
                        "%s line %d: expected token,user,uid,\"group1,group2\"".formatted(file, i + 1));
            }
            String groups = match.group(4) != null ? match.group(4) : match.group(5);
            users.put(
                    match.group(1).strip(),
                    user(match.group(2).strip(), match.group(3).strip(), groups == null ? "" : groups));
        }
        if (users.isEmpty()) throw new Complaint.BadInput("--token-auth-file: " + file + " holds no token");
        return users;
    }

    private static User user(String name, String uid, String groups) {
        List<String> all = new ArrayList<>();
        for (String group : groups.split(",")) {
            if (!group.isBlank()) all.add(group.strip());
        }
        all.add("system:authenticated");
        return new User(name, uid, List.copyOf(all));
    }
}
