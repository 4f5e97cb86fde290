package dev.berth.e2e.story;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.Timeout;

/**
 * A test that runs first on the real server, then on the embedded one, in a namespace of its own. It may ask for a
 * {@link Dialogue}, whose two transcripts must be equal, and for a {@link dev.berth.e2e.server.Cluster}. Its class is
 * {@link OnBothServers}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@Timeout(120)
public @interface Story {}
