package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.ledger.NodeLedger;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTest {
    @Test
    void everyKindIsWhereTheServerHasIt() {
        assertThat(List.of(
                        Listing.of(Pod.class),
                        Listing.of(Node.class),
                        Listing.of(Namespace.class),
                        Listing.of(ConfigMap.class),
                        Listing.of(Lease.class),
                        Listing.of(Event.class),
                        Listing.of(PriorityClass.class),
                        Listing.of(DeviceClass.class),
                        Listing.of(ResourceClaim.class),
                        Listing.of(ResourceSlice.class),
                        Listing.of(NodeLedger.class),
                        Listing.of("example.com/v1", "widgets")))
                .extracting(listing -> listing.page(500, ""))
                .containsExactly(
                        "/api/v1/pods?limit=500",
                        "/api/v1/nodes?limit=500",
                        "/api/v1/namespaces?limit=500",
                        "/api/v1/configmaps?limit=500",
                        "/apis/coordination.k8s.io/v1/leases?limit=500",
                        "/apis/events.k8s.io/v1/events?limit=500",
                        "/apis/scheduling.k8s.io/v1/priorityclasses?limit=500",
                        "/apis/resource.k8s.io/v1/deviceclasses?limit=500",
                        "/apis/resource.k8s.io/v1/resourceclaims?limit=500",
                        "/apis/resource.k8s.io/v1/resourceslices?limit=500",
                        "/apis/berth.dev/v1alpha1/nodeledgers?limit=500",
                        "/apis/example.com/v1/widgets?limit=500");
    }

    @Test
    void aNamespaceAndANameNarrowItDown() {
        assertThat(Listing.of(ConfigMap.class).in("kube-system").named("quota").page(10, "a+b="))
                .isEqualTo("/api/v1/namespaces/kube-system/configmaps?fieldSelector=metadata.name%3Dquota"
                        + "&limit=10&continue=a%2Bb%3D");
    }

    @Test
    void aWatchSaysFromWhereAndForHowLong() {
        assertThat(Listing.of(Pod.class).where("status.phase=Running").watch("17", 300))
                .isEqualTo("/api/v1/pods?fieldSelector=status.phase%3DRunning"
                        + "&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=17");
    }
}
