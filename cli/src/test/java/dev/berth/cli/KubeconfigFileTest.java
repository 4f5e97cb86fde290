package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigFileTest {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void aFileOfOursIsReplaced() throws IOException {
        var file = new KubeconfigFile(directory.resolve("kubeconfig"));
        file.write("first");
        file.write("second");

        assertThat(Files.readString(file.path())).contains("second").doesNotContain("first");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileThatSomebodyElseWroteIsLeftAlone() throws IOException {
        Path theirs = Files.writeString(directory.resolve("kubeconfig"), "apiVersion: v1\n");

        assertThatThrownBy(() -> new KubeconfigFile(theirs).write("ours"))
                .isInstanceOf(Complaint.BadInput.class)
                .hasMessageContaining(theirs.toString())
                .hasMessageContaining("--write-kubeconfig");
        assertThat(Files.readString(theirs)).isEqualTo("apiVersion: v1\n");
    }

    @Test
    void aDirectoryThatIsNotThereIsNamed() {
        Path nowhere = directory.resolve("no/kubeconfig");

        assertThatThrownBy(() -> new KubeconfigFile(nowhere).write("ours")).hasMessageContaining(nowhere.toString());
    }
}
