package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BerthTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void versionNamesTheProgramAndItsVersion() {
        assertThat(berth("--version")).isZero();
        assertThat(out.toString()).matches("berth \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    @Test
    void anUnknownCommandGetsASuggestionAndExitCodeTwo() {
        assertThat(berth("apiservr")).isEqualTo(2);
        assertThat(err.toString())
                .contains("unknown command or argument 'apiservr'", "Did you mean apiserver", "Try 'berth --help'.");
    }

    @Test
    void anUnknownOptionGetsASuggestionAndExitCodeTwo() {
        assertThat(berth("up", "--node", "3")).isEqualTo(2);
        assertThat(err.toString()).contains("unknown option '--node'", "--nodes", "Try 'berth up --help'.");
    }

    @Test
    void aValueOfTheWrongTypeIsNamedWithItsOption() {
        assertThat(berth("up", "--nodes", "many")).isEqualTo(2);
        assertThat(err.toString()).contains("--nodes", "'many'");
    }

    @Test
    void everyCommandHasHelpWithAnExample() {
        var root = Berth.commandLine(new PrintWriter(out), new PrintWriter(err));
        for (CommandLine command : root.getSubcommands().values()) {
            var spec = command.getCommandSpec();
            if (spec.usageMessage().hidden() || spec.name().equals("help")) continue;
            assertThat(spec.usageMessage().description()).as(spec.name()).isNotEmpty();
            assertThat(spec.usageMessage().footer()).as(spec.name()).isNotEmpty();
        }
    }

    @Test
    void berthAloneSaysWhatThereIs() {
        assertThat(berth()).isZero();
        assertThat(out.toString()).contains("Usage: berth", "Commands:", "Examples:");
    }

    @Test
    void completionIsAShellScriptThatKnowsTheCommands() {
        assertThat(berth("completion")).isZero();
        assertThat(out.toString()).startsWith("#!/usr/bin/env bash").contains("apiserver");
    }
}
