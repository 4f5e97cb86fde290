package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What the columns of each kind show: the same cells, in the same order, as kube-apiserver's. */
final class Cells {
    private static final Map<String, Consumer<Row>> BY_TYPE = Map.<String, Consumer<Row>>ofEntries(
            Map.entry(
                    "configmaps",
                    row -> row.name()
                            .add(row.object().at("/data").size()
                                    + row.object().at("/binaryData").size())
                            .age()),
            Map.entry(
                    "controllerrevisions.apps",
                    row -> row.name().add(controller(row)).number("/revision").age()),
            Map.entry("csidrivers.storage.k8s.io", StorageCells::driver),
            Map.entry(
                    "csinodes.storage.k8s.io",
                    row -> row.name().count("/spec/drivers").age()),
            Map.entry("cronjobs.batch", WorkloadCells::cronJob),
            Map.entry("clusterrolebindings.rbac.authorization.k8s.io", Cells::roleBinding),
            Map.entry("daemonsets.apps", WorkloadCells::daemonSet),
            Map.entry("deployments.apps", WorkloadCells::deployment),
            Map.entry("deviceclasses.resource.k8s.io", row -> row.name().age()),
            Map.entry("endpoints", NetworkCells::endpoints),
            Map.entry("endpointslices.discovery.k8s.io", NetworkCells::endpointSlice),
            Map.entry("events", Cells::event),
            Map.entry("events.events.k8s.io", Cells::event),
            Map.entry("ingresses.networking.k8s.io", NetworkCells::ingress),
            Map.entry("jobs.batch", WorkloadCells::job),
            Map.entry(
                    "leases.coordination.k8s.io",
                    row -> row.name().text("/spec/holderIdentity").age()),
            Map.entry("mutatingwebhookconfigurations.admissionregistration.k8s.io", Cells::webhooks),
            Map.entry("validatingwebhookconfigurations.admissionregistration.k8s.io", Cells::webhooks),
            Map.entry("namespaces", row -> row.name().text("/status/phase").age()),
            Map.entry(
                    "networkpolicies.networking.k8s.io",
                    row -> row.name().selector("/spec/podSelector").age()),
            Map.entry("nodes", Cells::node),
            Map.entry("persistentvolumeclaims", StorageCells::claim),
            Map.entry("persistentvolumes", StorageCells::volume),
            Map.entry(
                    "poddisruptionbudgets.policy",
                    row -> row.name()
                            .text("/spec/minAvailable", "N/A")
                            .text("/spec/maxUnavailable", "N/A")
                            .number("/status/disruptionsAllowed")
                            .age()),
            Map.entry("pods", PodCells::fill),
            Map.entry(
                    "podtemplates",
                    row -> row.name().containers("/template/spec").labels("/template/metadata/labels")),
            Map.entry(
                    "priorityclasses.scheduling.k8s.io",
                    row -> row.name()
                            .number("/value")
                            .add(row.object().path("globalDefault").asBoolean())
                            .age()
                            .text("/preemptionPolicy")),
            Map.entry("replicasets.apps", WorkloadCells::replicaSet),
            Map.entry("replicationcontrollers", WorkloadCells::replicationController),
            Map.entry("devicetaintrules.resource.k8s.io", DeviceCells::taintRule),
            Map.entry("resourceclaims.resource.k8s.io", DeviceCells::resourceClaim),
            Map.entry(
                    "resourceclaimtemplates.resource.k8s.io", row -> row.name().age()),
            Map.entry(
                    "resourceslices.resource.k8s.io",
                    row -> row.name()
                            .text("/spec/nodeName")
                            .text("/spec/driver")
                            .text("/spec/pool/name")
                            .age()),
            Map.entry("resourcequotas", Cells::quota),
            Map.entry("rolebindings.rbac.authorization.k8s.io", Cells::roleBinding),
            Map.entry(
                    "runtimeclasses.node.k8s.io",
                    row -> row.name().text("/handler").age()),
            Map.entry("secrets", row -> row.name().text("/type").count("/data").age()),
            Map.entry("serviceaccounts", row -> row.name().age()),
            Map.entry("services", NetworkCells::service),
            Map.entry("statefulsets.apps", WorkloadCells::statefulSet),
            Map.entry("storageclasses.storage.k8s.io", StorageCells::storageClass),
            Map.entry(
                    "volumeattachments.storage.k8s.io",
                    row -> row.name()
                            .text("/spec/attacher")
                            .text("/spec/source/persistentVolumeName")
                            .text("/spec/nodeName")
                            .add(row.object().at("/status/attached").asBoolean())
                            .age()));

    private Cells() {}

    static Optional<Consumer<Row>> of(ResourceType type) {
        return Optional.ofNullable(BY_TYPE.get(type.qualifiedPlural()));
    }

    private static void webhooks(Row row) {
        row.name().count("/webhooks").age();
    }

    private static String controller(Row row) {
        for (JsonNode owner : row.object().at("/metadata/ownerReferences")) {
            if (!owner.path("controller").asBoolean()) continue;
            String apiVersion = owner.path("apiVersion").asText();
            int slash = apiVersion.indexOf('/');
            String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
            String kind = owner.path("kind").asText().toLowerCase(Locale.ROOT);
            return kind + group + "/" + owner.path("name").asText();
        }
        return Row.NONE;
    }

    private static void roleBinding(Row row) {
        List<String> users = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        for (JsonNode subject : row.object().path("subjects")) {
            String name = subject.path("name").asText();
            switch (subject.path("kind").asText()) {
                case "ServiceAccount" -> accounts.add(subject.path("namespace").asText() + "/" + name);
                case "Group" -> groups.add(name);
                default -> users.add(name);
            }
        }
        row.name()
                .add(row.at("/roleRef/kind") + "/" + row.at("/roleRef/name"))
                .age()
                .add(String.join(", ", users))
                .add(String.join(", ", groups))
                .add(String.join(", ", accounts));
    }

    private static void node(Row row) {
        String status = "Unknown";
        for (JsonNode condition : row.object().at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                status = condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
            }
        }
        if (row.object().at("/spec/unschedulable").asBoolean()) status += ",SchedulingDisabled";
        String architecture = row.at("/status/nodeInfo/architecture");
        String kernel = row.at("/status/nodeInfo/kernelVersion", "<unknown>");
        row.name()
                .add(status)
                .add(roles(row.object().at("/metadata/labels")))
                .age()
                .text("/status/nodeInfo/kubeletVersion")
                .add(address(row, "InternalIP"))
                .add(address(row, "ExternalIP"))
                .text("/status/nodeInfo/osImage", "<unknown>")
                .add(architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")")
                .text("/status/nodeInfo/containerRuntimeVersion", "<unknown>");
    }

    private static String roles(JsonNode labels) {
        String prefix = "node-role.kubernetes.io/";
        TreeSet<String> roles = new TreeSet<>();
        labels.properties().forEach(label -> {
            String value = label.getValue().asText();
            if (label.getKey().startsWith(prefix) && label.getKey().length() > prefix.length()) {
                roles.add(label.getKey().substring(prefix.length()));
            } else if (label.getKey().equals("kubernetes.io/role") && !value.isEmpty()) {
                roles.add(value);
            }
        });
        return roles.isEmpty() ? Row.NONE : String.join(",", roles);
    }

    private static String address(Row row, String type) {
        for (JsonNode address : row.object().at("/status/addresses")) {
            if (address.path("type").asText().equals(type))
                return address.path("address").asText();
        }
        return Row.NONE;
    }

    /** Both kinds of events: what the core one calls involvedObject and message, the other calls regarding and note. */
    private static void event(Row row) {
        String about = row.object().has("regarding") ? "/regarding" : "/involvedObject";
        String first = row.at("/firstTimestamp", row.at("/deprecatedFirstTimestamp", row.at("/eventTime")));
        String last = row.at("/lastTimestamp", row.at("/deprecatedLastTimestamp", first));
        long count = row.object()
                .path("count")
                .asLong(row.object().path("deprecatedCount").asLong(0));
        if (row.object().path("series").isObject()) {
            last = row.at("/series/lastObservedTime");
            count = row.object().at("/series/count").asLong();
        } else if (count == 0) {
            count = 1;
        }
        String kind = row.at(about + "/kind").toLowerCase(Locale.ROOT);
        String target = row.at(about + "/name").isEmpty() ? kind : kind + "/" + row.at(about + "/name");
        String component = row.at("/source/component", row.at("/reportingComponent", row.at("/reportingController")));
        String instance = row.at("/source/host", row.at("/reportingInstance"));
        row.add(HumanDuration.since(last, row.now()))
                .text("/type")
                .text("/reason")
                .add(target)
                .text(about + "/fieldPath")
                .add(instance.isEmpty() ? component : component + ", " + instance)
                .add(row.at("/message", row.at("/note")).strip())
                .add(HumanDuration.since(first, row.now()))
                .add(count)
                .name();
    }

    private static void quota(Row row) {
        List<String> requests = new ArrayList<>();
        List<String> limits = new ArrayList<>();
        Map<String, String> hard = new TreeMap<>();
        row.object()
                .at("/status/hard")
                .properties()
                .forEach(each -> hard.put(each.getKey(), each.getValue().asText()));
        hard.forEach((resource, limit) -> {
            String used = row.object().at("/status/used").path(resource).asText("0");
            (resource.startsWith("limits.") ? limits : requests).add("%s: %s/%s".formatted(resource, used, limit));
        });
        row.name()
                .add(String.join(", ", requests))
                .add(String.join(", ", limits))
                .age();
    }
}
