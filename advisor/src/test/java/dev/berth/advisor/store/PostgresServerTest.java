package dev.berth.advisor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
    @Test
    void theUsualSpellingsAreUnderstoodAndThePasswordIsNotShown() {
        for (var url : List.of(
                "postgres://me:s%3Acret@db:5433/advisor?sslmode=require",
                "postgresql://me:s%3Acret@db:5433/advisor",
                "jdbc:postgresql://db:5433/advisor?user=me&password=s%3Acret")) {
            var server = PostgresServer.of(url);

            assertThat(server.name()).isEqualTo("postgresql://db:5433/advisor");
            assertThat(server).hasToString("postgresql://db:5433/advisor");
        }
    }

    @Test
    void whatIsNoAddressIsRefusedWithoutRepeatingIt() {
        for (var url : List.of("mysql://me:secret@db/advisor", "postgres://me:secret@db", "postgres:// me:secret@")) {
            assertThatThrownBy(() -> PostgresServer.of(url))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void aServerThatIsNotThereIsNoReasonNotToStart() {
        try (var store = SqlStore.open(PostgresServer.of("postgres://me:secret@127.0.0.1:1/advisor"))) {
            assertThatThrownBy(store::check)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the database postgresql://127.0.0.1:1/advisor cannot be written")
                    .hasMessageNotContaining("secret");
        }
    }
}
