package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ResourceRequirements;

/** Containers: what they are. */
final class ContainerStatusMessages {
    private ContainerStatusMessages() {}

    static void status(ContainerStatus status, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> status.setName(in.text());
            case 2 -> status.setState(in.message(new ContainerState(), ContainerStatusMessages::state));
            case 4 -> status.setReady(in.flag());
            case 5 -> status.setRestartCount(in.integer());
            case 6 -> status.setImage(in.text());
            case 7 -> status.setImageID(in.text());
            case 8 -> status.setContainerID(in.someText());
            case 9 -> status.setStarted(in.flag());
            case 10 -> ResourceMessages.quantity(status.getAllocatedResources(), in);
            case 11 -> status.setResources(in.message(new ResourceRequirements(), ResourceMessages::requirements));
            case 15 -> status.setStopSignal(in.text());
            default -> in.skip();
        }
    }

    static void state(ContainerState state, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> state.setWaiting(in.message(new ContainerStateWaiting(), ContainerStatusMessages::waiting));
            case 2 -> state.setRunning(in.message(new ContainerStateRunning(), ContainerStatusMessages::running));
            case 3 ->
                state.setTerminated(in.message(new ContainerStateTerminated(), ContainerStatusMessages::terminated));
            default -> in.skip();
        }
    }

    static void waiting(ContainerStateWaiting state, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> state.setReason(in.someText());
            case 2 -> state.setMessage(in.someText());
            default -> in.skip();
        }
    }

    static void running(ContainerStateRunning state, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> state.setStartedAt(Times.time(in));
            default -> in.skip();
        }
    }

    static void terminated(ContainerStateTerminated state, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> state.setExitCode(in.integer());
            case 2 -> state.setSignal(in.someInteger());
            case 3 -> state.setReason(in.someText());
            case 4 -> state.setMessage(in.someText());
            case 5 -> state.setStartedAt(Times.time(in));
            case 6 -> state.setFinishedAt(Times.time(in));
            case 7 -> state.setContainerID(in.someText());
            default -> in.skip();
        }
    }
}
