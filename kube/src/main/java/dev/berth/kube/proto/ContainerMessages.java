package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.FileKeySelector;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** Containers: what they are to be. */
final class ContainerMessages {
    private ContainerMessages() {}

    static void container(Container container, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> container.setName(in.text());
            case 2 -> container.setImage(in.someText());
            case 5 -> container.setWorkingDir(in.someText());
            case 6 -> container.getPorts().add(in.message(new ContainerPort(), ContainerMessages::port));
            case 7 -> container.getEnv().add(in.message(new EnvVar(), ContainerMessages::variable));
            case 8 -> container.setResources(in.message(new ResourceRequirements(), ResourceMessages::requirements));
            case 13 -> container.setTerminationMessagePath(in.someText());
            case 14 -> container.setImagePullPolicy(in.someText());
            case 16 -> container.setStdin(in.someFlag());
            case 17 -> container.setStdinOnce(in.someFlag());
            case 18 -> container.setTty(in.someFlag());
            case 20 -> container.setTerminationMessagePolicy(in.someText());
            case 24 -> container.setRestartPolicy(in.text());
            default -> in.skip();
        }
    }

    static void port(ContainerPort port, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> port.setName(in.someText());
            case 2 -> port.setHostPort(in.someInteger());
            case 3 -> port.setContainerPort(in.integer());
            case 4 -> port.setProtocol(in.someText());
            case 5 -> port.setHostIP(in.someText());
            default -> in.skip();
        }
    }

    static void variable(EnvVar variable, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> variable.setName(in.text());
            case 2 -> variable.setValue(in.someText());
            case 3 -> variable.setValueFrom(in.message(new EnvVarSource(), ContainerMessages::source));
            default -> in.skip();
        }
    }

    static void source(EnvVarSource source, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> source.setFieldRef(in.message(new ObjectFieldSelector(), ContainerMessages::objectField));
            case 2 ->
                source.setResourceFieldRef(in.message(new ResourceFieldSelector(), ContainerMessages::resourceField));
            case 3 ->
                source.setConfigMapKeyRef(in.message(new ConfigMapKeySelector(), ContainerMessages::configMapKey));
            case 4 -> source.setSecretKeyRef(in.message(new SecretKeySelector(), ContainerMessages::secretKey));
            case 5 -> source.setFileKeyRef(in.message(new FileKeySelector(), ContainerMessages::fileKey));
            default -> in.skip();
        }
    }

    static void objectField(ObjectFieldSelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.setApiVersion(in.someText());
            case 2 -> selector.setFieldPath(in.text());
            default -> in.skip();
        }
    }

    static void resourceField(ResourceFieldSelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.setContainerName(in.someText());
            case 2 -> selector.setResource(in.text());
            case 3 -> selector.setDivisor(ResourceMessages.quantity(in));
            default -> in.skip();
        }
    }

    static void configMapKey(ConfigMapKeySelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.setName(some(in.wrapped()));
            case 2 -> selector.setKey(in.text());
            case 3 -> selector.setOptional(in.flag());
            default -> in.skip();
        }
    }

    static void secretKey(SecretKeySelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.setName(some(in.wrapped()));
            case 2 -> selector.setKey(in.text());
            case 3 -> selector.setOptional(in.flag());
            default -> in.skip();
        }
    }

    static void fileKey(FileKeySelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.setVolumeName(in.text());
            case 2 -> selector.setPath(in.text());
            case 3 -> selector.setKey(in.text());
            case 4 -> selector.setOptional(in.flag());
            default -> in.skip();
        }
    }

    private static @Nullable String some(String text) {
        return text.isEmpty() ? null : text;
    }
}
