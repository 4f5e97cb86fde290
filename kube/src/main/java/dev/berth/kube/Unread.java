package dev.berth.kube;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;

/**
 * What no door looks at in the pods and nodes that it watches. It is passed over as it comes, and what would read it is
 * never made: Jackson makes a reader for every kind of volume before it reads the first pod. What is read of protobuf
 * ({@link dev.berth.kube.proto}) is the same.
 */
final class Unread {
    private Unread() {}

    static ObjectMapper without(ObjectMapper whole) {
        return whole.copy()
                .addMixIn(PodSpec.class, OfPodSpec.class)
                .addMixIn(Container.class, OfContainer.class)
                .addMixIn(PodStatus.class, OfPodStatus.class)
                .addMixIn(ContainerStatus.class, OfContainerStatus.class)
                .addMixIn(NodeSpec.class, OfNodeSpec.class)
                .addMixIn(NodeStatus.class, OfNodeStatus.class);
    }

    @JsonIgnoreProperties({
        "dnsConfig",
        "ephemeralContainers",
        "hostAliases",
        "imagePullSecrets",
        "readinessGates",
        "securityContext",
        "volumes"
    })
    private interface OfPodSpec {}

    @JsonIgnoreProperties({
        "args",
        "command",
        "envFrom",
        "lifecycle",
        "livenessProbe",
        "readinessProbe",
        "resizePolicy",
        "restartPolicyRules",
        "securityContext",
        "startupProbe",
        "volumeDevices",
        "volumeMounts"
    })
    private interface OfContainer {}

    @JsonIgnoreProperties({"ephemeralContainerStatuses", "hostIPs", "podIPs"})
    private interface OfPodStatus {}

    @JsonIgnoreProperties({"allocatedResourcesStatus", "lastState", "user", "volumeMounts"})
    private interface OfContainerStatus {}

    @JsonIgnoreProperties({"configSource", "podCIDRs"})
    private interface OfNodeSpec {}

    @JsonIgnoreProperties({
        "addresses",
        "config",
        "daemonEndpoints",
        "declaredFeatures",
        "features",
        "images",
        "nodeInfo",
        "runtimeHandlers",
        "volumesAttached",
        "volumesInUse"
    })
    private interface OfNodeStatus {}
}
