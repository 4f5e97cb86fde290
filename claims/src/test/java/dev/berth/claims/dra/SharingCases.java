package dev.berth.claims.dra;

import static dev.berth.claims.dra.Parts.device;
import static dev.berth.claims.dra.Parts.devices;
import static dev.berth.claims.dra.Parts.firstOf;
import static dev.berth.claims.dra.Parts.request;

import dev.berth.claims.dra.Parts.ClaimPart;
import dev.berth.claims.dra.Parts.DevicePart;
import dev.berth.claims.dra.Parts.SlicePart;
import java.util.List;

/** Shares of devices, admin access, taints, and what is passed on in a status. */
final class SharingCases {
    private static final String FIRST = "/devices/results/0";

    private SharingCases() {}

    private static DevicePart card(String name) {
        return device(name).shared().capacity("memory", "40Gi");
    }

    static List<Scene> all() {
        return List.of(
                new Scene("a share of a device, with its name and what it takes")
                        .node("n1", card("d0"))
                        .claim(request("r").wanting("memory", "10Gi"))
                        .gives(
                                allocation -> {
                                    Checks.is(allocation, FIRST + "/consumedCapacity/memory", "10Gi");
                                    org.assertj.core.api.Assertions.assertThat(allocation
                                                    .at(FIRST + "/shareID")
                                                    .asText())
                                            .hasSize(36);
                                },
                                "r=n1/d0"),
                new Scene("two shares of one device")
                        .node("n1", card("d0"))
                        .claim(
                                request("a").wanting("memory", "20Gi"),
                                request("b").wanting("memory", "20Gi"))
                        .gives("a=n1/d0", "b=n1/d0"),
                new Scene("two shares that are too much for one device")
                        .node("n1", card("d0"))
                        .claim(
                                request("a").wanting("memory", "30Gi"),
                                request("b").wanting("memory", "20Gi"))
                        .refuses("n1: a, b can each be met, but not all at once"),
                new Scene("the second share goes to the next device")
                        .node("n1", card("d0"), card("d1"))
                        .claim(
                                request("a").wanting("memory", "30Gi"),
                                request("b").wanting("memory", "20Gi"))
                        .gives("a=n1/d0", "b=n1/d1"),
                new Scene("a count of two is two devices, not two shares")
                        .node("n1", card("d0"), card("d1"))
                        .claim(request("r").count(2).wanting("memory", "10Gi"))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("a count of two needs two devices")
                        .node("n1", card("d0"))
                        .claim(request("r").count(2).wanting("memory", "10Gi"))
                        .refuses("r wants 2 devices"),
                new Scene("shares that others hold count")
                        .node("n1", card("d0"), card("d1"))
                        .other(new ClaimPart("other", request("x")).holdingShare("x", "n1", "d0", "memory", "35Gi"))
                        .claim(request("r").wanting("memory", "10Gi"))
                        .gives("r=n1/d1"),
                new Scene("shares that others hold leave too little")
                        .node("n1", card("d0"))
                        .other(new ClaimPart("other", request("x")).holdingShare("x", "n1", "d0", "memory", "35Gi"))
                        .claim(request("r").wanting("memory", "10Gi"))
                        .refuses("1 held by default/other"),
                new Scene("who does not say how much takes all")
                        .node("n1", card("d0"))
                        .claim(request("r"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "40Gi"),
                                "r=n1/d0"),
                new Scene("who does not say how much leaves nothing")
                        .node("n1", card("d0"))
                        .claim(request("a"), request("b").wanting("memory", "1Gi"))
                        .refuses("n1: a, b can each be met, but not all at once"),
                new Scene("who does not say how much takes the default")
                        .node("n1", card("d0").fallback("memory", "8Gi").oneOf("memory", "8Gi", "16Gi"))
                        .claim(request("r"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "8Gi"),
                                "r=n1/d0"),
                new Scene("the next larger of the valid amounts")
                        .node("n1", card("d0").fallback("memory", "8Gi").oneOf("memory", "8Gi", "16Gi"))
                        .claim(request("r").wanting("memory", "9Gi"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "16Gi"),
                                "r=n1/d0"),
                new Scene("above all valid amounts")
                        .node("n1", card("d0").fallback("memory", "8Gi").oneOf("memory", "8Gi", "16Gi"))
                        .claim(request("r").wanting("memory", "17Gi"))
                        .refuses("1 with too little left"),
                new Scene("below the least of a range")
                        .node("n1", card("d0").fallback("memory", "4Gi").range("memory", "4Gi", "20Gi", ""))
                        .claim(request("r").wanting("memory", "1Gi"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "4Gi"),
                                "r=n1/d0"),
                new Scene("above the most of a range")
                        .node("n1", card("d0").fallback("memory", "4Gi").range("memory", "4Gi", "20Gi", ""))
                        .claim(request("r").wanting("memory", "21Gi"))
                        .refuses("1 with too little left"),
                new Scene("up to the next step of a range")
                        .node("n1", card("d0").fallback("memory", "4Gi").range("memory", "4Gi", "", "4Gi"))
                        .claim(request("r").wanting("memory", "9Gi"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "12Gi"),
                                "r=n1/d0"),
                new Scene("steps that go beyond the device")
                        .node("n1", card("d0").fallback("memory", "4Gi").range("memory", "4Gi", "", "16Gi"))
                        .claim(request("r").wanting("memory", "37Gi"))
                        .refuses("n1: r wants 1 device, of 1: 1 with too little left, 0 free"),
                new Scene("a range within which any amount is taken")
                        .node("n1", card("d0").fallback("memory", "4Gi").range("memory", "4Gi", "20Gi", ""))
                        .claim(request("r").wanting("memory", "7Gi"))
                        .gives(
                                allocation -> Checks.is(allocation, FIRST + "/consumedCapacity/memory", "7Gi"),
                                "r=n1/d0"),
                new Scene("two capacities, of which one is short")
                        .node(
                                "n1",
                                card("d0").capacity("cores", "4"),
                                card("d1").capacity("cores", "8"))
                        .claim(request("r").wanting("memory", "1Gi").wanting("cores", "6"))
                        .gives("r=n1/d1"),
                new Scene("a capacity that no device has")
                        .node("n1", card("d0"))
                        .claim(request("r").wanting("cores", "6"))
                        .refuses("n1: r wants 1 device, of 1: 1 with too little left, 0 free"),
                new Scene("a device that is not shared is taken whole if it is large enough")
                        .node(
                                "n1",
                                device("d0").capacity("memory", "8Gi"),
                                device("d1").capacity("memory", "40Gi"))
                        .claim(request("r").wanting("memory", "10Gi"))
                        .gives(allocation -> Checks.absent(allocation, FIRST + "/shareID"), "r=n1/d1"),
                new Scene("a device that is not shared is taken once")
                        .node("n1", device("d0").capacity("memory", "40Gi"))
                        .claim(
                                request("a").wanting("memory", "10Gi"),
                                request("b").wanting("memory", "10Gi"))
                        .refuses("not all at once"),
                new Scene("shares without any capacity have no end")
                        .node("n1", device("d0").shared())
                        .claim(request("a"), request("b"), request("c"))
                        .gives("a=n1/d0", "b=n1/d0", "c=n1/d0"),
                new Scene("shares of different devices, if their attribute must differ")
                        .node("n1", card("d0").text("id", "x"), card("d1").text("id", "y"))
                        .claim(new ClaimPart(
                                        "c",
                                        request("a").wanting("memory", "1Gi"),
                                        request("b").wanting("memory", "1Gi"))
                                .distinct("dra.example.com/id"))
                        .gives("a=n1/d0", "b=n1/d1"),
                new Scene("no shares of different devices where there is one")
                        .node("n1", card("d0").text("id", "x"))
                        .claim(new ClaimPart(
                                        "c",
                                        request("a").wanting("memory", "1Gi"),
                                        request("b").wanting("memory", "1Gi"))
                                .distinct("dra.example.com/id"))
                        .refuses("2 devices that differ"),
                new Scene("shares of all devices that have enough")
                        .node("n1", card("d0"), device("d1").shared().capacity("memory", "1Gi"))
                        .claim(request("r").all().wanting("memory", "10Gi"))
                        .gives("r=n1/d0"),
                new Scene("a shared device is told from others by CEL")
                        .node("n1", device("d0"), card("d1"))
                        .claim(request("r").where("device.allowMultipleAllocations"))
                        .gives("r=n1/d1"),
                new Scene("a shared device draws from its counters once")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("c", "links", "1")
                                .of(2)
                                .on("n1"))
                        .slice(new SlicePart("s1", "p", card("d0").draws("c", "links", "1"))
                                .of(2)
                                .on("n1"))
                        .claim(
                                request("a").wanting("memory", "1Gi"),
                                request("b").wanting("memory", "1Gi"))
                        .gives("a=p/d0", "b=p/d0"),
                new Scene("counters keep a second shared device away")
                        .node("n1")
                        .slice(new SlicePart("s0", "p")
                                .counter("c", "links", "1")
                                .of(2)
                                .on("n1"))
                        .slice(new SlicePart(
                                        "s1",
                                        "p",
                                        card("d0").draws("c", "links", "1"),
                                        card("d1").draws("c", "links", "1"))
                                .of(2)
                                .on("n1"))
                        .claim(
                                request("a").wanting("memory", "30Gi"),
                                request("b").wanting("memory", "30Gi"))
                        .refuses("n1: 2 of the shared links wanted, 1 left"),
                new Scene("an alternative with less capacity")
                        .node("n1", card("d0"))
                        .claim(firstOf(
                                "r",
                                request("large").wanting("memory", "80Gi"),
                                request("small").wanting("memory", "20Gi")))
                        .gives("r/small=n1/d0"),
                new Scene("admin access to a device that is held")
                        .node("n1", devices("d", 1))
                        .other(new ClaimPart("other", request("x")).holding("x", "n1", "d0"))
                        .claim(request("r").admin())
                        .gives("*r=n1/d0"),
                new Scene("admin access does not hold a device")
                        .node("n1", devices("d", 1))
                        .other(new ClaimPart("other", request("x")).lookingAfter("x", "n1", "d0"))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("admin access to all devices, whoever has them")
                        .node("n1", devices("d", 2))
                        .other(new ClaimPart("other", request("x")).holding("x", "n1", "d0"))
                        .claim(request("r").admin().all())
                        .gives("*r=n1/d0", "*r=n1/d1"),
                new Scene("admin access to devices that suit none")
                        .node("n1", devices("d", 2))
                        .claim(request("r").admin().where("device.driver == 'none'"))
                        .refuses("driver is dra.example.com"),
                new Scene("two admin requests of a claim get different devices")
                        .node("n1", devices("d", 2))
                        .claim(request("a").admin(), request("b").admin())
                        .gives("*a=n1/d0", "*b=n1/d1"),
                new Scene("two admin requests of a claim need different devices")
                        .node("n1", devices("d", 1))
                        .claim(request("a").admin(), request("b").admin())
                        .refuses("n1: a, b can each be met, but not all at once"),
                new Scene("two admin claims may have the same device")
                        .node("n1", devices("d", 1))
                        .claim(request("a").admin())
                        .claim(request("b").admin())
                        .gives("*a=n1/d0", "*b=n1/d0"),
                new Scene("what one request looks after the other does not get")
                        .node("n1", devices("d", 2))
                        .claim(request("a").admin(), request("b"))
                        .gives("*a=n1/d0", "b=n1/d1"),
                new Scene("admin access in a namespace that is made for it")
                        .namespace("default", "resource.kubernetes.io/admin-access", "true")
                        .node("n1", devices("d", 1))
                        .claim(request("r").admin())
                        .gives("*r=n1/d0"),
                new Scene("admin access in a namespace that is not")
                        .namespace("default")
                        .node("n1", devices("d", 1))
                        .claim(request("r").admin())
                        .refuses("admin access to devices requires the `resource.kubernetes.io/admin-access: true`"),
                new Scene("a taint keeps a device from being taken")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"), device("d1"))
                        .claim(request("r"))
                        .gives("r=n1/d1"),
                new Scene("a taint on all there is")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r"))
                        .refuses("1 tainted"),
                new Scene("the taint that also drives away")
                        .node("n1", device("d0").taint("broken", "yes", "NoExecute"))
                        .claim(request("r"))
                        .refuses("1 tainted"),
                new Scene("the taint that only informs")
                        .node("n1", device("d0").taint("broken", "yes", "None"))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("a taint that is tolerated by its value, which is passed on")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").tolerating("broken", "Equal", "yes", "NoSchedule"))
                        .gives(allocation -> Checks.is(allocation, FIRST + "/tolerations/0/key", "broken"), "r=n1/d0"),
                new Scene("another value is not tolerated")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").tolerating("broken", "Equal", "no", "NoSchedule"))
                        .refuses("1 tainted"),
                new Scene("another effect is not tolerated")
                        .node("n1", device("d0").taint("broken", "yes", "NoExecute"))
                        .claim(request("r").tolerating("broken", "Equal", "yes", "NoSchedule"))
                        .refuses("1 tainted"),
                new Scene("a taint that is tolerated by its key")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").tolerating("broken", "Exists", "", ""))
                        .gives("r=n1/d0"),
                new Scene("another key is not tolerated")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").tolerating("hot", "Exists", "", ""))
                        .refuses("1 tainted"),
                new Scene("everything is tolerated")
                        .node(
                                "n1",
                                device("d0")
                                        .taint("broken", "yes", "NoSchedule")
                                        .taint("hot", "", "NoExecute"))
                        .claim(request("r").tolerating("", "Exists", "", ""))
                        .gives("r=n1/d0"),
                new Scene("two taints, of which one is tolerated")
                        .node(
                                "n1",
                                device("d0")
                                        .taint("broken", "yes", "NoSchedule")
                                        .taint("hot", "", "NoExecute"))
                        .claim(request("r").tolerating("hot", "Exists", "", ""))
                        .refuses("1 tainted"),
                new Scene("all devices, of which one is tainted")
                        .node("n1", device("d0"), device("d1").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").all())
                        .refuses("1 tainted"),
                new Scene("all devices, and the taint is tolerated")
                        .node("n1", device("d0"), device("d1").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").all().tolerating("broken", "Exists", "", ""))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("an alternative that tolerates")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(firstOf("r", request("whole"), request("broken").tolerating("broken", "Exists", "", "")))
                        .gives("r/broken=n1/d0"),
                new Scene("even an admin must tolerate")
                        .node("n1", device("d0").taint("broken", "yes", "NoSchedule"))
                        .claim(request("r").admin())
                        .refuses("1 tainted"),
                new Scene("a rule taints one device")
                        .node("n1", devices("d", 2))
                        .rule("n1", "d0", "broken", "NoSchedule")
                        .claim(request("r"))
                        .gives("r=n1/d1"),
                new Scene("a rule taints a pool")
                        .node("n1", devices("d", 2))
                        .rule("n1", "", "broken", "NoExecute")
                        .claim(request("r"))
                        .refuses("2 tainted"),
                new Scene("a rule of another pool taints nothing here")
                        .node("n1", devices("d", 2))
                        .rule("n2", "", "broken", "NoExecute")
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("a rule that is tolerated")
                        .node("n1", devices("d", 1))
                        .rule("n1", "d0", "broken", "NoSchedule")
                        .claim(request("r").tolerating("broken", "Exists", "", ""))
                        .gives("r=n1/d0"),
                new Scene("the settings of a class come first, then the claim's")
                        .classConfig("any", "of class")
                        .node("n1", devices("d", 2))
                        .claim(new ClaimPart("c", request("a"), request("b"))
                                .config("of all")
                                .config("of b", "b"))
                        .gives(
                                allocation -> {
                                    Checks.is(allocation, "/devices/config/0/source", "FromClass");
                                    Checks.is(allocation, "/devices/config/0/requests/1", "b");
                                    Checks.is(allocation, "/devices/config/1/opaque/parameters/value", "of all");
                                    Checks.absent(allocation, "/devices/config/1/requests");
                                    Checks.is(allocation, "/devices/config/2/source", "FromClaim");
                                    Checks.is(allocation, "/devices/config/2/requests/0", "b");
                                    Checks.absent(allocation, "/devices/config/3");
                                },
                                "a=n1/d0",
                                "b=n1/d1"),
                new Scene("the settings of an alternative that was not taken are left out")
                        .node("n1", devices("d", 1))
                        .claim(new ClaimPart("c", firstOf("r", request("two").count(2), request("one")))
                                .config("two", "r/two")
                                .config("one", "r/one"))
                        .gives(
                                allocation -> {
                                    Checks.is(allocation, "/devices/config/0/opaque/parameters/value", "one");
                                    Checks.absent(allocation, "/devices/config/1");
                                },
                                "r/one=n1/d0"),
                new Scene("a device of a node binds the claim to it")
                        .node("n1", devices("d", 1))
                        .claim(request("r"))
                        .gives(
                                allocation -> {
                                    Checks.is(
                                            allocation,
                                            "/nodeSelector/nodeSelectorTerms/0/matchFields/0/key",
                                            "metadata.name");
                                    Checks.is(
                                            allocation,
                                            "/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0",
                                            "n1");
                                },
                                "r=n1/d0"));
    }
}
