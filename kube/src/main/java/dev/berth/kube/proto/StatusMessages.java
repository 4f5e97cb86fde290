package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;

/** Why something was refused. */
final class StatusMessages {
    private StatusMessages() {}

    static void status(Status status, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> status.setMetadata(in.message(new ListMeta(), MetaMessages::list));
            case 2 -> status.setStatus(in.someText());
            case 3 -> status.setMessage(in.someText());
            case 4 -> status.setReason(in.someText());
            case 5 -> status.setDetails(in.message(new StatusDetails(), StatusMessages::details));
            case 6 -> status.setCode(in.someInteger());
            default -> in.skip();
        }
    }

    static void details(StatusDetails details, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> details.setName(in.someText());
            case 2 -> details.setGroup(in.someText());
            case 3 -> details.setKind(in.someText());
            case 4 -> details.getCauses().add(in.message(new StatusCause(), StatusMessages::cause));
            case 5 -> details.setRetryAfterSeconds(in.someInteger());
            case 6 -> details.setUid(in.someText());
            default -> in.skip();
        }
    }

    static void cause(StatusCause cause, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> cause.setReason(in.someText());
            case 2 -> cause.setMessage(in.someText());
            case 3 -> cause.setField(in.someText());
            default -> in.skip();
        }
    }
}
