package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NodeAllocatableResourceClaimStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodOS;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;

/** Pods: what is asked of them, and what has become of it. */
final class PodMessages {
    private PodMessages() {}

    static void pod(Pod pod, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> pod.setMetadata(in.message(new ObjectMeta(), MetaMessages::object));
            case 2 -> pod.setSpec(in.message(new PodSpec(), PodMessages::spec));
            case 3 -> pod.setStatus(in.message(new PodStatus(), PodMessages::status));
            default -> in.skip();
        }
    }

    static void spec(PodSpec spec, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 2 -> spec.getContainers().add(in.message(new Container(), ContainerMessages::container));
            case 3 -> spec.setRestartPolicy(in.someText());
            case 4 -> spec.setTerminationGracePeriodSeconds(in.number());
            case 5 -> spec.setActiveDeadlineSeconds(in.number());
            case 6 -> spec.setDnsPolicy(in.someText());
            case 7 -> in.entry(spec.getNodeSelector());
            case 8 -> spec.setServiceAccountName(in.someText());
            case 9 -> spec.setServiceAccount(in.someText());
            case 10 -> spec.setNodeName(in.someText());
            case 11 -> spec.setHostNetwork(in.someFlag());
            case 12 -> spec.setHostPID(in.someFlag());
            case 13 -> spec.setHostIPC(in.someFlag());
            case 16 -> spec.setHostname(in.someText());
            case 17 -> spec.setSubdomain(in.someText());
            case 18 -> spec.setAffinity(in.message(new Affinity(), PlacementMessages::affinity));
            case 19 -> spec.setSchedulerName(in.someText());
            case 20 -> spec.getInitContainers().add(in.message(new Container(), ContainerMessages::container));
            case 21 -> spec.setAutomountServiceAccountToken(in.flag());
            case 22 -> spec.getTolerations().add(in.message(new Toleration(), PlacementMessages::toleration));
            case 24 -> spec.setPriorityClassName(in.someText());
            case 25 -> spec.setPriority(in.integer());
            case 27 -> spec.setShareProcessNamespace(in.flag());
            case 29 -> spec.setRuntimeClassName(in.text());
            case 30 -> spec.setEnableServiceLinks(in.flag());
            case 31 -> spec.setPreemptionPolicy(in.text());
            case 32 -> ResourceMessages.quantity(spec.getOverhead(), in);
            case 33 ->
                spec.getTopologySpreadConstraints()
                        .add(in.message(new TopologySpreadConstraint(), PlacementMessages::spread));
            case 35 -> spec.setSetHostnameAsFQDN(in.flag());
            case 36 -> spec.setOs(in.message(new PodOS(), PodMessages::system));
            case 37 -> spec.setHostUsers(in.flag());
            case 38 -> spec.getSchedulingGates().add(in.message(new PodSchedulingGate(), PodMessages::gate));
            case 39 -> spec.getResourceClaims().add(in.message(new PodResourceClaim(), ClaimMessages::claim));
            case 40 -> spec.setResources(in.message(new ResourceRequirements(), ResourceMessages::requirements));
            case 41 -> spec.setHostnameOverride(in.text());
            case 43 -> spec.setSchedulingGroup(in.message(new PodSchedulingGroup(), PodMessages::group));
            default -> in.skip();
        }
    }

    static void system(PodOS system, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> system.setName(in.text());
            default -> in.skip();
        }
    }

    static void gate(PodSchedulingGate gate, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> gate.setName(in.text());
            default -> in.skip();
        }
    }

    static void group(PodSchedulingGroup group, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> group.setPodGroupName(in.text());
            default -> in.skip();
        }
    }

    static void status(PodStatus status, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> status.setPhase(in.someText());
            case 2 -> status.getConditions().add(in.message(new PodCondition(), PodMessages::condition));
            case 3 -> status.setMessage(in.someText());
            case 4 -> status.setReason(in.someText());
            case 5 -> status.setHostIP(in.someText());
            case 6 -> status.setPodIP(in.someText());
            case 7 -> status.setStartTime(Times.time(in));
            case 8 ->
                status.getContainerStatuses().add(in.message(new ContainerStatus(), ContainerStatusMessages::status));
            case 9 -> status.setQosClass(in.someText());
            case 10 ->
                status.getInitContainerStatuses()
                        .add(in.message(new ContainerStatus(), ContainerStatusMessages::status));
            case 11 -> status.setNominatedNodeName(in.someText());
            case 14 -> status.setResize(in.someText());
            case 15 ->
                status.getResourceClaimStatuses().add(in.message(new PodResourceClaimStatus(), ClaimMessages::status));
            case 17 -> status.setObservedGeneration(in.someNumber());
            case 18 ->
                status.setExtendedResourceClaimStatus(
                        in.message(new PodExtendedResourceClaimStatus(), ClaimMessages::extended));
            case 19 -> ResourceMessages.quantity(status.getAllocatedResources(), in);
            case 20 -> status.setResources(in.message(new ResourceRequirements(), ResourceMessages::requirements));
            case 21 ->
                status.getNodeAllocatableResourceClaimStatuses()
                        .add(in.message(new NodeAllocatableResourceClaimStatus(), ClaimMessages::allocatable));
            default -> in.skip();
        }
    }

    static void condition(PodCondition condition, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> condition.setType(in.text());
            case 2 -> condition.setStatus(in.text());
            case 3 -> condition.setLastProbeTime(Times.time(in));
            case 4 -> condition.setLastTransitionTime(Times.time(in));
            case 5 -> condition.setReason(in.someText());
            case 6 -> condition.setMessage(in.someText());
            case 7 -> condition.setObservedGeneration(in.someNumber());
            default -> in.skip();
        }
    }
}
