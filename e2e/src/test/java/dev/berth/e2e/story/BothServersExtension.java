package dev.berth.e2e.story;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.opentest4j.TestAbortedException;

/** Runs each story on the real server and then, with that transcript as the expectation, on the embedded one. */
final class BothServersExtension implements TestTemplateInvocationContextProvider {
    private final Map<String, String> expectations = new ConcurrentHashMap<>();

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Stream.of(new Run(true, context), new Run(false, context));
    }

    private final class Run
            implements TestTemplateInvocationContext,
                    BeforeEachCallback,
                    ParameterResolver,
                    AfterTestExecutionCallback {
        private final boolean real;
        private final String story;
        private final String namespace;
        private @Nullable Dialogue dialogue;

        Run(boolean real, ExtensionContext template) {
            this.real = real;
            story = template.getUniqueId();
            namespace = namespaceOf(template);
        }

        @Override
        public String getDisplayName(int invocationIndex) {
            return (real ? "[real] " : "[embedded] ") + namespace.replace('-', ' ');
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            var type = parameter.getParameter().getType();
            return type == Dialogue.class || type == Cluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            var conversation = Objects.requireNonNull(dialogue);
            return parameter.getParameter().getType() == Dialogue.class ? conversation : conversation.cluster();
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            var servers = Servers.OF_THIS_JVM;
            var controllers = context.getRequiredTestClass()
                    .getAnnotation(OnBothServers.class)
                    .controllers();
            if (!real && !expectations.containsKey(story)) {
                throw new TestAbortedException("nothing to compare with: the story did not end on the real server");
            }
            var cluster = real ? servers.real(controllers) : servers.embedded(controllers);
            var opened = new Dialogue(cluster, namespace);
            opened.createNamespace();
            dialogue = opened;
        }

        @Override
        public void afterTestExecution(ExtensionContext context) {
            var told = dialogue;
            if (told == null) return;
            told.close();
            keep(context, told.transcript());
            if (context.getExecutionException().isPresent()) return;
            if (real) {
                expectations.put(story, told.transcript());
            } else {
                Difference.between(Objects.requireNonNull(expectations.get(story)), told.transcript())
                        .ifPresent(difference -> {
                            throw new AssertionError("- real, + embedded\n" + difference);
                        });
            }
        }
    }

    /** For reading: {@code target/transcripts/PodIT/a-pod-is-bound.real}. */
    private static void keep(ExtensionContext context, String transcript) {
        var name = context.getDisplayName()
                .replaceAll("^\\[(\\w+)] (.*)$", "$2.$1")
                .replace(' ', '-');
        var file = E2eFolder.kept("transcripts")
                .resolve(context.getRequiredTestClass().getSimpleName())
                .resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, transcript);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code aPodIsBound} becomes {@code a-pod-is-bound}, cut to what a namespace may be called. */
    private static String namespaceOf(ExtensionContext template) {
        var name = template.getRequiredTestMethod()
                .getName()
                .replaceAll("([A-Z]|[0-9]+)", "-$1")
                .toLowerCase(Locale.ROOT);
        return name.length() <= 63 ? name : name.substring(0, 63).replaceAll("-+$", "");
    }
}
