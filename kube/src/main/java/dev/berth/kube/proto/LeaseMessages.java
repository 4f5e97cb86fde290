package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;

/** Leases: who holds something, and until when. */
final class LeaseMessages {
    private LeaseMessages() {}

    static void lease(Lease lease, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> lease.setMetadata(in.message(new ObjectMeta(), MetaMessages::object));
            case 2 -> lease.setSpec(in.message(new LeaseSpec(), LeaseMessages::spec));
            default -> in.skip();
        }
    }

    static void spec(LeaseSpec spec, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> spec.setHolderIdentity(in.text());
            case 2 -> spec.setLeaseDurationSeconds(in.integer());
            case 3 -> spec.setAcquireTime(Times.microTime(in));
            case 4 -> spec.setRenewTime(Times.microTime(in));
            case 5 -> spec.setLeaseTransitions(in.integer());
            case 6 -> spec.setStrategy(in.text());
            case 7 -> spec.setPreferredHolder(in.text());
            default -> in.skip();
        }
    }
}
