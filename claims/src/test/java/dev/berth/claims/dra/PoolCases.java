package dev.berth.claims.dra;

import static dev.berth.claims.dra.Parts.device;
import static dev.berth.claims.dra.Parts.devices;
import static dev.berth.claims.dra.Parts.request;

import dev.berth.claims.dra.Parts.ClaimPart;
import dev.berth.claims.dra.Parts.SlicePart;
import java.util.List;

/** Pools: generations, whole ones and broken ones, those on the network, and partitions that share counters. */
final class PoolCases {
    private PoolCases() {}

    static List<Scene> all() {
        return List.of(
                new Scene("an older generation is forgotten")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", devices("old", 1)).on("n1"))
                        .slice(new SlicePart("s2", "p", devices("new", 1))
                                .generation(2)
                                .on("n1"))
                        .claim(request("r"))
                        .gives("r=p/new0"),
                new Scene("an older generation does not help out")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", devices("old", 2)).on("n1"))
                        .slice(new SlicePart("s2", "p", devices("new", 1))
                                .generation(2)
                                .on("n1"))
                        .claim(request("r").count(2))
                        .refuses("of 1"),
                new Scene("a newer generation that is not whole yet")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", devices("old", 2)).on("n1"))
                        .slice(new SlicePart("s2", "p", devices("new", 1))
                                .generation(2)
                                .of(2)
                                .on("n1"))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("another pool helps while one is not whole")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s2", "a", devices("x", 1)).of(2).on("n1"))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("all is not known while a pool is not whole")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s2", "a", devices("x", 1)).of(2).on("n1"))
                        .claim(request("r").all())
                        .refuses("asks for all devices, but resource pool dra.example.com/a is being updated"),
                new Scene("all is known where the pool that is not whole is another node's")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s2", "a", devices("x", 1)).of(2).on("n2"))
                        .claim(request("r").all())
                        .gives("r=n1/d0"),
                new Scene("a device of the same name twice spoils its pool")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", devices("d", 1)).of(2).on("n1"))
                        .slice(new SlicePart("s2", "p", devices("d", 1)).of(2).on("n1"))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("another pool helps while one is broken")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s1", "a", devices("x", 1)).of(2).on("n1"))
                        .slice(new SlicePart("s2", "a", devices("x", 1)).of(2).on("n1"))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("all is not known while a pool is broken")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s1", "a", devices("x", 1)).of(2).on("n1"))
                        .slice(new SlicePart("s2", "a", devices("x", 1)).of(2).on("n1"))
                        .claim(request("r").all())
                        .refuses("invalid: duplicate device name x0"),
                new Scene("the same names in two pools are two devices")
                        .node("n1")
                        .slice(new SlicePart("s1", "a", devices("d", 1)).on("n1"))
                        .slice(new SlicePart("s2", "b", devices("d", 1)).on("n1"))
                        .claim(request("r").count(2))
                        .gives("r=a/d0", "r=b/d0"),
                new Scene("on the network, from every node")
                        .node("n1")
                        .slice(new SlicePart("s", "net", devices("d", 1)).everywhere())
                        .claim(request("r"))
                        .gives(allocation -> Checks.absent(allocation, "/nodeSelector"), "r=net/d0"),
                new Scene("on the network, and held from another node")
                        .node("n1")
                        .node("n2")
                        .slice(new SlicePart("s", "net", devices("d", 1)).everywhere())
                        .other(new ClaimPart("other", request("x")).holding("x", "net", "d0"))
                        .claim(request("r"))
                        .refuses("1 held by default/other"),
                new Scene("on the network, from nodes with a label")
                        .node("n1", "zone", "a")
                        .node("n2", "zone", "b")
                        .slice(new SlicePart("s", "net", devices("d", 1)).where("zone", "b"))
                        .claim(request("r"))
                        .gives(
                                allocation -> Checks.is(
                                        allocation, "/nodeSelector/nodeSelectorTerms/0/matchExpressions/0/key", "zone"),
                                "r=net/d0"),
                new Scene("on the network, from a label that no node has")
                        .node("n1", "zone", "a")
                        .slice(new SlicePart("s", "net", devices("d", 1)).where("zone", "b"))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("a local and a network device bind to the node")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s", "zz-net", devices("x", 1)).everywhere())
                        .claim(request("r").count(2))
                        .gives(
                                allocation -> Checks.is(
                                        allocation, "/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0", "n1"),
                                "r=n1/d0",
                                "r=zz-net/x0"),
                new Scene("pools on the network stand in line by name with the node's")
                        .node("n1", devices("d", 1))
                        .slice(new SlicePart("s", "a-net", devices("x", 1)).everywhere())
                        .claim(request("r"))
                        .gives("r=a-net/x0"),
                new Scene("each device says from where")
                        .node("n1")
                        .node("n2")
                        .slice(new SlicePart(
                                        "s",
                                        "p",
                                        device("a").on("n2"),
                                        device("b").on("n1"))
                                .perDevice())
                        .claim(request("r"))
                        .goesTo("n1", "r=p/b"),
                new Scene("each device says from where, and none from here")
                        .node("n1")
                        .slice(new SlicePart("s", "p", device("a").on("n2")).perDevice())
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("each device says from where: a label, or everywhere")
                        .node("n1", "zone", "a")
                        .slice(new SlicePart(
                                        "s",
                                        "p",
                                        device("a").where("zone", "b"),
                                        device("b").where("zone", "a"),
                                        device("c").everywhere())
                                .perDevice())
                        .claim(request("r").count(2))
                        .gives("r=p/b", "r=p/c"),
                new Scene("all of those that each say from where")
                        .node("n1")
                        .slice(new SlicePart(
                                        "s",
                                        "p",
                                        device("a").on("n2"),
                                        device("b").on("n1"))
                                .perDevice())
                        .claim(request("r").all())
                        .gives("r=p/b"),
                new Scene("a slice that says nothing about nodes is passed over")
                        .node("n1")
                        .slice(new SlicePart("s", "p", devices("d", 1)))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("slices of several nodes in one pool")
                        .node("n1")
                        .node("n2")
                        .slice(new SlicePart("s1", "p", devices("a", 1)).of(2).on("n1"))
                        .slice(new SlicePart("s2", "p", devices("b", 2)).of(2).on("n2"))
                        .claim(request("r").count(2))
                        .goesTo("n2", "r=p/b0", "r=p/b1"),
                new Scene("slices of several nodes, of which one is missing")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", devices("a", 1)).of(2).on("n1"))
                        .claim(request("r"))
                        .refuses("no devices"),
                partitions("partitions share a card", "40Gi")
                        .claim(request("r").count(2))
                        .gives("r=p/half0", "r=p/half1"),
                partitions("partitions use a card up", "40Gi")
                        .claim(request("r").count(3))
                        .refuses("n1: 64424509440 of the shared memory wanted, 42949672960 left"),
                partitions("a card whose partition is held cannot be had whole", "40Gi")
                        .other(new ClaimPart("other", request("x")).holding("x", "p", "half0"))
                        .claim(request("r").where("device.attributes['dra.example.com'].type == 'card'"))
                        .refuses("n1: r wants 1 device, of 3: 2 unsuitable", "1 with too little left, 0 free"),
                partitions("the rest of a card whose partition is held", "40Gi")
                        .other(new ClaimPart("other", request("x")).holding("x", "p", "half0"))
                        .claim(request("r"))
                        .gives("r=p/half1"),
                partitions("a card that is held whole has no partitions left", "40Gi")
                        .other(new ClaimPart("other", request("x")).holding("x", "p", "whole"))
                        .claim(request("r").where("device.attributes['dra.example.com'].type == 'half'"))
                        .refuses("n1: r wants 1 device, of 3: 1 unsuitable", "2 with too little left, 0 free"),
                partitions("a large partition first leaves no room", "30Gi")
                        .claim(
                                request("half").where("device.attributes['dra.example.com'].type == 'half'"),
                                request("other").where("device.attributes['dra.example.com'].type == 'half'"))
                        .refuses("n1: 42949672960 of the shared memory wanted, 32212254720 left"),
                new Scene("several counters, of which one runs out")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("card", "memory", "40Gi")
                                .counter("card", "engines", "1")
                                .of(2)
                                .on("n1"))
                        .slice(new SlicePart(
                                        "s1",
                                        "p",
                                        device("a")
                                                .draws("card", "memory", "10Gi")
                                                .draws("card", "engines", "1"),
                                        device("b")
                                                .draws("card", "memory", "10Gi")
                                                .draws("card", "engines", "1"),
                                        device("c").draws("card", "memory", "10Gi"))
                                .of(2)
                                .on("n1"))
                        .claim(request("r").count(2))
                        .gives("r=p/a", "r=p/c"),
                new Scene("two counter sets")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("one", "memory", "10Gi")
                                .counter("two", "memory", "10Gi")
                                .of(2)
                                .on("n1"))
                        .slice(new SlicePart(
                                        "s1",
                                        "p",
                                        device("a").draws("one", "memory", "10Gi"),
                                        device("b").draws("one", "memory", "10Gi"),
                                        device("c").draws("two", "memory", "10Gi"))
                                .of(2)
                                .on("n1"))
                        .claim(request("r").count(2))
                        .gives("r=p/a", "r=p/c"),
                new Scene("a counter set that is not there spoils the pool")
                        .node("n1")
                        .slice(new SlicePart("s1", "p", device("a").draws("none", "memory", "10Gi")).on("n1"))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("a counter that its set does not have spoils the pool")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("card", "memory", "40Gi")
                                .of(2)
                                .on("n1"))
                        .slice(new SlicePart("s1", "p", device("a").draws("card", "engines", "1"))
                                .of(2)
                                .on("n1"))
                        .claim(request("r").all())
                        .refuses("invalid: counter engines not found in counter set card"),
                new Scene("a counter set twice spoils the pool")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("card", "memory", "40Gi")
                                .of(3)
                                .on("n1"))
                        .slice(new SlicePart("s1", "p")
                                .counter("card", "memory", "40Gi")
                                .of(3)
                                .on("n1"))
                        .slice(new SlicePart("s2", "p", device("a").draws("card", "memory", "1Gi"))
                                .of(3)
                                .on("n1"))
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("counters of a pool that several nodes reach")
                        .node("n1")
                        .node("n2")
                        .slice(new SlicePart("s0", "p")
                                .counter("box", "links", "1")
                                .of(2)
                                .everywhere())
                        .slice(new SlicePart(
                                        "s1",
                                        "p",
                                        device("a").draws("box", "links", "1").on("n1"),
                                        device("b").draws("box", "links", "1").on("n2"))
                                .of(2)
                                .perDevice())
                        .other(new ClaimPart("other", request("x")).holding("x", "p", "b"))
                        .claim(request("r"))
                        .refuses(
                                "n1: r wants 1 device, of 1: 1 with too little left",
                                "n2: r wants 1 device, of 1: 1 held by default/other"),
                new Scene("binding conditions come last and are passed on")
                        .node("n1")
                        .slice(new SlicePart("s1", "a", device("slow").binding("ready", "failed")).on("n1"))
                        .slice(new SlicePart("s2", "b", devices("quick", 1)).on("n1"))
                        .claim(request("r").count(2))
                        .gives(
                                allocation -> {
                                    Checks.absent(allocation, "/devices/results/0/bindingConditions");
                                    Checks.is(allocation, "/devices/results/1/bindingConditions/0", "ready");
                                    Checks.is(allocation, "/devices/results/1/bindingFailureConditions/0", "failed");
                                },
                                "r=b/quick0",
                                "r=a/slow"),
                new Scene("a network device that binds to its node")
                        .node("n1")
                        .slice(new SlicePart(
                                        "s",
                                        "net",
                                        device("d").binding("ready", "failed").bindsToNode())
                                .everywhere())
                        .claim(request("r"))
                        .gives(
                                allocation -> Checks.is(
                                        allocation, "/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0", "n1"),
                                "r=net/d"));
    }

    /** One card that can be had whole or in two halves. */
    private static Scene partitions(String what, String memory) {
        return new Scene(what)
                .node("n1")
                .slice(new SlicePart("s0", "p")
                        .counter("card", "memory", memory)
                        .of(2)
                        .on("n1"))
                .slice(new SlicePart(
                                "s1",
                                "p",
                                device("half0").text("type", "half").draws("card", "memory", "20Gi"),
                                device("half1").text("type", "half").draws("card", "memory", "20Gi"),
                                device("whole").text("type", "card").draws("card", "memory", "40Gi"))
                        .of(2)
                        .on("n1"));
    }
}
