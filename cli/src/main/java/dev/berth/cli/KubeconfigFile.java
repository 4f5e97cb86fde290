package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The kubeconfig that a command leaves for its user. A file that somebody else wrote is never overwritten. */
record KubeconfigFile(Path path) {
    private static final String MARK = "# Written by berth; overwritten at its next start.\n";

    /** @throws Complaint.BadInput when the file is not ours, or cannot be written */
    void write(String yaml) {
        try {
            if (Files.exists(path) && !Files.readString(path).startsWith(MARK)) {
                throw new Complaint.BadInput(
                        path + " exists and was not written by berth: name another file with --write-kubeconfig");
            }
            // Beside its final name and moved there: who reads it sees the old file or the new one, never half of it.
            Path parent = path.toAbsolutePath().normalize().getParent();
            Path draft = Files.createTempFile(
                    parent,
                    ".kubeconfig",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, MARK + yaml);
            Files.move(draft, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the kubeconfig " + path + ": " + e.getMessage(), e);
        }
    }
}
