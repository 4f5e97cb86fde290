package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.admission.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    @TempDir
    private Path directory = Path.of(".");

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("tokens.csv"), content);
    }

    @Test
    void usersComeInTheOrderOfTheFileWithTheirGroups() throws IOException {
        var users = TokenFile.read(file("t1,admin,u1,\"system:masters,ops\"\n\n# a comment\nt2,bob,u2\n"));

        assertThat(users.keySet()).containsExactly("t1", "t2");
        assertThat(users)
                .containsEntry("t1", new User("admin", "u1", List.of("system:masters", "ops", "system:authenticated")))
                .containsEntry("t2", new User("bob", "u2", List.of("system:authenticated")));
    }

    @Test
    void aWrongLineIsNamedByItsNumberAndNeverShowsTheToken() {
        assertThatThrownBy(() -> TokenFile.read(file("t1,admin,u1\nvery-secret\n")))
                .isInstanceOf(Complaint.BadInput.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("very-secret");
    }

    @Test
    void aFileWithoutATokenIsRefused() {
        assertThatThrownBy(() -> TokenFile.read(file("\n"))).hasMessageContaining("holds no token");
        assertThatThrownBy(() -> TokenFile.read(directory.resolve("absent"))).hasMessageContaining("cannot be read");
    }
}
