package dev.berth.advisor.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.model.EmaSettings;
import dev.berth.advisor.store.Database;
import dev.berth.advisor.store.PostgresServer;
import dev.berth.advisor.store.SqliteFile;
import dev.berth.advisor.wire.YesOrNo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What the environment says: the variables that begin with {@code SCHEDULER_}, in any letter case.
 *
 * @param model {@code ema} or {@code bayes}
 * @param database where to keep what is learned: a file, or a server that replicas share
 * @param logLevel {@code error}, {@code warn}, {@code info}, {@code debug} or {@code trace}, where it is said
 */
public record AgentSettings(
        EmaSettings ema,
        String model,
        GpuMemory memory,
        Database database,
        String host,
        int port,
        boolean sinkhorn,
        Optional<String> logLevel,
        List<String> warnings) {
    private static final String PREFIX = "SCHEDULER_";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final int STANDARD_PORT = 8080;
    private static final int MOST_PORT = 65_535;
    /** What Kubernetes puts into the environment for a Service that is called scheduler. */
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("[a-z]+://.*");

    /** A variable that cannot be used; the message names it, what it holds and what it should. */
    public static final class BadSettingException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadSettingException(String message) {
            super(message);
        }
    }

    public static AgentSettings of(Map<String, String> environment) {
        var values = new Values(environment);
        var standard = EmaSettings.STANDARD;
        double tauSquared = values.number("TAU_SQUARED", standard.tauSquared());
        if (!(tauSquared > 0)) {
            throw values.bad("TAU_SQUARED", "a number above 0");
        }
        int retention = values.whole("RETENTION_OBSERVATIONS", standard.retention());
        if (retention < 1) {
            throw values.bad("RETENTION_OBSERVATIONS", "a whole number of at least 1");
        }
        var ema = new EmaSettings(
                values.number("LAMBDA_UNCERTAINTY", standard.lambda()),
                values.number("BETA_EXPLORATION", standard.beta()),
                values.number("GAMMA_INTERFERENCE", standard.gamma()),
                tauSquared,
                values.number("EXPLORATION_CAP", standard.explorationCap()),
                values.flag("ENABLE_INTERFERENCE", standard.interference()),
                retention);
        var model = values.text("MODEL", "ema").toLowerCase(Locale.ROOT);
        if (!List.of("ema", "bayes").contains(model)) {
            throw values.bad("MODEL", "ema or bayes");
        }
        int port = values.whole("PORT", STANDARD_PORT);
        if (port < 0 || port > MOST_PORT) {
            throw values.bad("PORT", "a port");
        }
        values.checkUnused();
        return new AgentSettings(
                ema,
                model,
                values.memory(),
                values.database(),
                values.text("HOST", "0.0.0.0"),
                port,
                values.flag("ENABLE_SINKHORN", false),
                values.logLevel(),
                List.copyOf(values.warnings));
    }

    /** The variables, read one by one. */
    private static final class Values {
        private final Map<String, String> values = new HashMap<>();
        private final List<String> warnings = new ArrayList<>();

        Values(Map<String, String> environment) {
            environment.forEach((name, value) -> {
                var upper = name.toUpperCase(Locale.ROOT);
                if (!upper.startsWith(PREFIX)) {
                    return;
                }
                if (SERVICE_ADDRESS.matcher(value).matches() && upper.endsWith("_PORT")) {
                    warnings.add("%s=%s is the address of a Service and is passed over".formatted(name, value));
                } else {
                    values.put(upper.substring(PREFIX.length()), value.strip());
                }
            });
        }

        String text(String name, String standard) {
            return values.getOrDefault(name, standard);
        }

        double number(String name, double standard) {
            double number = parsed(name, standard, Double::parseDouble, "a number");
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw bad(name, "a number");
            }
            return number;
        }

        int whole(String name, int standard) {
            return parsed(name, standard, Integer::parseInt, "a whole number");
        }

        private <T> T parsed(String name, T standard, Function<String, T> parser, String wanted) {
            var value = values.get(name);
            try {
                return value == null ? standard : parser.apply(value);
            } catch (NumberFormatException noNumber) {
                throw bad(name, wanted);
            }
        }

        boolean flag(String name, boolean standard) {
            var value = values.get(name);
            if (value == null) {
                return standard;
            }
            return YesOrNo.of(value).orElseThrow(() -> bad(name, "one of " + YesOrNo.words()));
        }

        GpuMemory memory() {
            var wanted = "a JSON object of GPU types and their GiB";
            Map<String, Double> gib = new HashMap<>();
            for (var entry : object("GPU_MEMORY", wanted).properties()) {
                if (!entry.getValue().isNumber()) {
                    throw bad("GPU_MEMORY", wanted);
                }
                gib.put(entry.getKey(), entry.getValue().doubleValue());
            }
            return new GpuMemory(gib);
        }

        private ObjectNode object(String name, String wanted) {
            var value = text(name, "");
            try {
                if (JSON.readTree(value.isEmpty() ? "{}" : value) instanceof ObjectNode object) {
                    return object;
                }
            } catch (JsonProcessingException malformed) {
                // Said below.
            }
            throw bad(name, wanted);
        }

        /** As Python's logging has them. */
        Optional<String> logLevel() {
            var word = text("LOG_LEVEL", "").toLowerCase(Locale.ROOT);
            return switch (word) {
                case "" -> Optional.empty();
                case "critical", "fatal", "error" -> Optional.of("error");
                case "warning", "warn" -> Optional.of("warn");
                case "info", "debug", "trace" -> Optional.of(word);
                default -> throw bad("LOG_LEVEL", "one of CRITICAL, ERROR, WARNING, INFO, DEBUG, TRACE");
            };
        }

        /** Those that change nothing here must make sense all the same: who sets one believes in it. */
        void checkUnused() {
            whole("CHECKPOINT_INTERVAL", 0);
            flag("ENABLE_MUTATION", true);
        }

        Database database() {
            var url = text("STORE_URL", "");
            if (url.isEmpty()) {
                var standard = Path.of(System.getProperty("java.io.tmpdir"), "scheduler.db");
                var path = text("SQLITE_PATH", standard.toString());
                // SQLite takes no name for a database that is gone with the process.
                if (path.isEmpty()) {
                    throw bad("SQLITE_PATH", "the path of a file");
                }
                return new SqliteFile(Path.of(path));
            }
            try {
                return PostgresServer.of(url);
            } catch (IllegalArgumentException malformed) {
                // The value may hold a password and is not repeated.
                throw new BadSettingException("%sSTORE_URL must be postgres://user:password@host:port/database, but %s"
                        .formatted(PREFIX, malformed.getMessage()));
            }
        }

        BadSettingException bad(String name, String wanted) {
            return new BadSettingException(
                    "%s%s must be %s, not '%s'".formatted(PREFIX, name, wanted, values.getOrDefault(name, "")));
        }
    }
}
