package dev.berth.apiserver.rest;

import dev.berth.apiserver.admission.User;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Reads a client certificate's subject as Kubernetes does: the common name is the user, the organizations are groups.
 */
final class ClientNames {
    private ClientNames() {}

    static Optional<User> user(Principal principal) {
        String name = "";
        List<String> groups = new ArrayList<>();
        try {
            for (Rdn part : new LdapName(principal.getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) name = String.valueOf(part.getValue());
                if (part.getType().equalsIgnoreCase("O")) groups.add(String.valueOf(part.getValue()));
            }
        } catch (InvalidNameException _) {
            return Optional.empty();
        }
        if (name.isEmpty()) return Optional.empty();
        groups.add("system:authenticated");
        return Optional.of(new User(name, "", groups));
    }
}
