package dev.berth.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote beside this class. */
final class Version implements IVersionProvider {
    static String current() {
        var properties = new Properties();
        try (var in = Version.class.getResourceAsStream("version.properties")) {
            if (in != null) properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"berth " + current()};
    }
}
