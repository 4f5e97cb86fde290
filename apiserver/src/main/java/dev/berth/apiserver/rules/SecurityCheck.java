package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.regex.Pattern;

/** Finds what is wrong in the security contexts of a pod and of its containers. */
final class SecurityCheck {
    private static final String ID = "must be between 0 and 2147483647, inclusive";
    private static final Pattern SYSCTL =
            Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
    private static final String NOT_A_SYSCTL =
            "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

    private SecurityCheck() {}

    static void pod(JsonNode context, String path, Errors errors) {
        if (context.isEmpty()) return;
        for (String field : List.of("fsGroup", "runAsUser", "runAsGroup")) id(context, field, path, errors);
        var groups = items(context, "supplementalGroups");
        for (int i = 0; i < groups.size(); i++)
            if (!isId(groups.get(i).asLong()))
                errors.invalid(
                        path + ".supplementalGroups[" + i + "]", groups.get(i).asLong(), ID);
        var sysctls = items(context, "sysctls");
        for (int i = 0; i < sysctls.size(); i++) {
            String name = text(sysctls.get(i), "name");
            String at = path + ".sysctls[" + i + "].name";
            if (name.isEmpty()) errors.required(at, "");
            else if (name.length() > 253 || !SYSCTL.matcher(name).matches()) errors.invalid(at, name, NOT_A_SYSCTL);
        }
    }

    static void container(JsonNode context, String path, Errors errors) {
        if (context.isEmpty()) return;
        for (String field : List.of("runAsUser", "runAsGroup")) id(context, field, path, errors);
        if (!has(context, "allowPrivilegeEscalation") || flag(context, "allowPrivilegeEscalation")) return;
        if (flag(context, "privileged"))
            errors.invalid(
                    path,
                    InternalForm.of("core.SecurityContext", context),
                    "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        for (JsonNode capability : items(at(context, "capabilities"), "add"))
            if (capability.asText().equals("CAP_SYS_ADMIN"))
                errors.invalid(
                        path,
                        InternalForm.of("core.SecurityContext", context),
                        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
    }

    private static void id(JsonNode context, String field, String path, Errors errors) {
        if (has(context, field) && !isId(number(context, field)))
            errors.invalid(path + "." + field, number(context, field), ID);
    }

    private static boolean isId(long id) {
        return id >= 0 && id <= Integer.MAX_VALUE;
    }
}
