package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The rows of services and of what stands around them. */
final class NetworkCells {
    private static final int SHOWN = 3;

    private NetworkCells() {}

    static void service(Row row) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : row.object().at("/spec/ports")) {
            String number = port.path("port").asText();
            if (port.path("nodePort").asInt() > 0)
                number += ":" + port.path("nodePort").asText();
            ports.add(number + "/" + port.path("protocol").asText());
        }
        row.name()
                .text("/spec/type")
                .text("/spec/clusterIPs/0", Row.NONE)
                .add(externalAddress(row))
                .add(ports.isEmpty() ? Row.NONE : String.join(",", ports))
                .age()
                .labels("/spec/selector");
    }

    private static String externalAddress(Row row) {
        String external = Row.joined(row.object().at("/spec/externalIPs"), ",");
        return switch (row.at("/spec/type")) {
            case "ClusterIP", "NodePort" -> external.isEmpty() ? Row.NONE : external;
            case "ExternalName" -> row.at("/spec/externalName");
            case "LoadBalancer" -> {
                String balancer = ingressPoints(row);
                if (balancer.isEmpty()) yield external.isEmpty() ? "<pending>" : external;
                yield external.isEmpty() ? balancer : balancer + "," + external;
            }
            default -> "<unknown>";
        };
    }

    private static String ingressPoints(Row row) {
        List<String> points = new ArrayList<>();
        for (JsonNode point : row.object().at("/status/loadBalancer/ingress")) {
            points.add(point.path("ip").asText(point.path("hostname").asText()));
        }
        return String.join(",", points);
    }

    static void ingress(Row row) {
        List<String> hosts = new ArrayList<>();
        JsonNode rules = row.object().at("/spec/rules");
        rules.forEach(rule -> {
            if (rule.has("host")) hosts.add(rule.path("host").asText());
        });
        row.name()
                .text("/spec/ingressClassName", Row.NONE)
                .add(hosts.isEmpty() ? "*" : some(hosts, ""))
                .add(ingressPoints(row))
                .add(row.object().at("/spec/tls").isEmpty() ? "80" : "80, 443")
                .age();
    }

    static void endpoints(Row row) {
        List<String> all = new ArrayList<>();
        for (JsonNode subset : row.object().path("subsets")) {
            for (JsonNode address : subset.path("addresses")) {
                String ip = address.path("ip").asText();
                if (subset.path("ports").isEmpty()) all.add(ip);
                for (JsonNode port : subset.path("ports")) {
                    all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":"
                            + port.path("port").asText());
                }
            }
        }
        row.name()
                .add(row.object().path("subsets").isEmpty() ? Row.NONE : some(all, ""))
                .age();
    }

    static void endpointSlice(Row row) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : row.object().path("ports")) {
            ports.add(port.path("port").asText(port.path("name").asText("*")));
        }
        List<String> addresses = new ArrayList<>();
        for (JsonNode endpoint : row.object().path("endpoints")) {
            endpoint.path("addresses").forEach(address -> addresses.add(address.asText()));
        }
        row.name()
                .text("/addressType")
                .add(some(ports, Row.UNSET))
                .add(some(addresses, Row.UNSET))
                .age();
    }

    private static String some(List<String> all, String none) {
        if (all.isEmpty()) return none;
        if (all.size() <= SHOWN) return String.join(",", all);
        return "%s + %d more...".formatted(String.join(",", all.subList(0, SHOWN)), all.size() - SHOWN);
    }
}
