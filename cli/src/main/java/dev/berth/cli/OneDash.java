package dev.berth.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes {@code -kubeconfig}, the way the flags of Go programs are written, for {@code --kubeconfig}. */
final class OneDash implements IParameterPreprocessor {
    private static final String KUBECONFIG = "-kubeconfig";

    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own signature
    public boolean preprocess(
            Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> information) {
        arguments.replaceAll(
                given -> given.equals(KUBECONFIG) || given.startsWith(KUBECONFIG + "=") ? "-" + given : given);
        return false;
    }
}
