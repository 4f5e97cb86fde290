package dev.berth.claims.dra;

import static dev.berth.claims.dra.Parts.device;
import static dev.berth.claims.dra.Parts.devices;
import static dev.berth.claims.dra.Parts.firstOf;
import static dev.berth.claims.dra.Parts.request;

import dev.berth.claims.dra.Parts.ClaimPart;
import java.util.List;

/** What must hold between the devices of a claim. */
final class ConstraintCases {
    private static final String NUMA = "dra.example.com/numa";
    private static final String ROOT = "resource.kubernetes.io/pcieRoot";

    private ConstraintCases() {}

    static List<Scene> all() {
        return List.of(
                new Scene("the same text")
                        .node(
                                "n1",
                                device("d0").text("numa", "a"),
                                device("d1").text("numa", "b"),
                                device("d2").text("numa", "b"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .gives("r=n1/d1", "r=n1/d2"),
                new Scene("no two have the same text")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "b"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .refuses("2 devices with the same dra.example.com/numa wanted, at most 1 free agree"),
                new Scene("the same number")
                        .node(
                                "n1",
                                device("d0").number("numa", 0),
                                device("d1").number("numa", 1),
                                device("d2").number("numa", 1))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .gives("a=n1/d1", "b=n1/d2"),
                new Scene("the same flag")
                        .node(
                                "n1",
                                device("d0").flag("numa", true),
                                device("d1").flag("numa", true))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .gives("a=n1/d0", "b=n1/d1"),
                new Scene("two flags that differ")
                        .node(
                                "n1",
                                device("d0").flag("numa", true),
                                device("d1").flag("numa", false))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .refuses("at most 1 free agree"),
                new Scene("the same version")
                        .node(
                                "n1",
                                device("d0").version("numa", "1.0.0"),
                                device("d1").version("numa", "1.0.0"))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .gives("a=n1/d0", "b=n1/d1"),
                new Scene("versions that differ in their build are not the same")
                        .node(
                                "n1",
                                device("d0").version("numa", "1.0.0+a"),
                                device("d1").version("numa", "1.0.0+b"))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .refuses("at most 1 free agree"),
                new Scene("a number and a text are never the same")
                        .node("n1", device("d0").number("numa", 1), device("d1").text("numa", "1"))
                        .claim(new ClaimPart("c", request("a"), request("b")).same(NUMA))
                        .refuses("at most 1 free agree"),
                new Scene("a device without the attribute is passed over")
                        .node(
                                "n1",
                                device("d0"),
                                device("d1").text("numa", "a"),
                                device("d2").text("numa", "a"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .gives("r=n1/d1", "r=n1/d2"),
                new Scene("an attribute that no device has")
                        .node("n1", devices("d", 2))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .refuses("no free one has it"),
                new Scene("even one device needs the attribute")
                        .node("n1", devices("d", 2))
                        .claim(new ClaimPart("c", request("r")).same(NUMA))
                        .refuses("no free one has it"),
                new Scene("an attribute by its full name")
                        .node("n1", device("d0").text(ROOT, "x"), device("d1").text(ROOT, "x"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(ROOT))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("an attribute of another domain is another")
                        .node("n1", device("d0").text("numa", "x"), device("d1").text("b.example.com/numa", "x"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .refuses("at most 1 free agree"),
                new Scene("across drivers by a common name")
                        .node("n1", device("d0").text(ROOT, "x"), device("d1").text(ROOT, "y"))
                        .slice(new Parts.SlicePart("nics", "nics", device("nic").text(ROOT, "y"))
                                .driver("net.example.com")
                                .on("n1"))
                        .claim(new ClaimPart(
                                        "c",
                                        request("gpu").where("device.driver == 'dra.example.com'"),
                                        request("nic").where("device.driver == 'net.example.com'"))
                                .same(ROOT))
                        .gives("gpu=n1/d1", "nic=nics/nic"),
                new Scene("across drivers with nothing in common")
                        .node("n1", device("d0").text(ROOT, "x"))
                        .slice(new Parts.SlicePart("nics", "nics", device("nic").text(ROOT, "y"))
                                .driver("net.example.com")
                                .on("n1"))
                        .claim(new ClaimPart(
                                        "c",
                                        request("gpu").where("device.driver == 'dra.example.com'"),
                                        request("nic").where("device.driver == 'net.example.com'"))
                                .same(ROOT))
                        .refuses("at most 1 free agree"),
                new Scene("of some requests only")
                        .node(
                                "n1",
                                device("d0").text("numa", "a"),
                                device("d1").text("numa", "b"),
                                device("d2").text("numa", "b"))
                        .claim(new ClaimPart("c", request("x"), request("a"), request("b")).same(NUMA, "a", "b"))
                        .gives("x=n1/d0", "a=n1/d1", "b=n1/d2"),
                new Scene("of a request that the claim does not have")
                        .node("n1", devices("d", 2))
                        .claim(new ClaimPart("c", request("a")).same(NUMA, "gone"))
                        .gives("a=n1/d0"),
                new Scene("of one claim, not of the other")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "b"))
                        .claim(new ClaimPart("c", request("r")).same(NUMA))
                        .claim(new ClaimPart("d", request("r")).same(NUMA))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("two at once")
                        .node(
                                "n1",
                                device("d0").text("numa", "a").text("model", "x"),
                                device("d1").text("numa", "a").text("model", "y"),
                                device("d2").text("numa", "a").text("model", "y"))
                        .claim(new ClaimPart("c", request("r").count(2))
                                .same(NUMA)
                                .same("dra.example.com/model"))
                        .gives("r=n1/d1", "r=n1/d2"),
                new Scene("two at once that exclude each other")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "a"))
                        .claim(new ClaimPart("c", request("r").count(2))
                                .same(NUMA)
                                .distinct(NUMA))
                        .refuses("2 devices that differ in dra.example.com/numa wanted"),
                new Scene("different texts")
                        .node(
                                "n1",
                                device("d0").text("numa", "a"),
                                device("d1").text("numa", "a"),
                                device("d2").text("numa", "b"))
                        .claim(new ClaimPart("c", request("a"), request("b")).distinct(NUMA))
                        .gives("a=n1/d0", "b=n1/d2"),
                new Scene("no two differ")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "a"))
                        .claim(new ClaimPart("c", request("a"), request("b")).distinct(NUMA))
                        .refuses("the free ones have 1 different values"),
                new Scene("different within one request")
                        .node(
                                "n1",
                                device("d0").number("numa", 0),
                                device("d1").number("numa", 0),
                                device("d2").number("numa", 1))
                        .claim(new ClaimPart("c", request("r").count(2)).distinct(NUMA))
                        .gives("r=n1/d0", "r=n1/d2"),
                new Scene("different needs the attribute too")
                        .node("n1", device("d0"), device("d1").number("numa", 0))
                        .claim(new ClaimPart("c", request("a"), request("b")).distinct(NUMA))
                        .refuses("2 devices that differ"),
                new Scene("lists with a value in common")
                        .node(
                                "n1",
                                device("d0").texts("numa", "a", "b"),
                                device("d1").texts("numa", "c"),
                                device("d2").texts("numa", "b", "d"))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .gives("r=n1/d0", "r=n1/d2"),
                new Scene("lists of which no value is common to all")
                        .node(
                                "n1",
                                device("d0").texts("numa", "a", "b"),
                                device("d1").texts("numa", "b", "c"),
                                device("d2").texts("numa", "c", "a"))
                        .claim(new ClaimPart("c", request("r").count(3)).same(NUMA))
                        .refuses("at most 2 free agree"),
                new Scene("a list and a single value")
                        .node(
                                "n1",
                                device("d0").numbers("numa", 1, 2),
                                device("d1").number("numa", 2))
                        .claim(new ClaimPart("c", request("r").count(2)).same(NUMA))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("lists without a common value are distinct")
                        .node(
                                "n1",
                                device("d0").numbers("numa", 1, 2),
                                device("d1").numbers("numa", 2, 3),
                                device("d2").numbers("numa", 3, 4))
                        .claim(new ClaimPart("c", request("a"), request("b")).distinct(NUMA))
                        .gives("a=n1/d0", "b=n1/d2"),
                new Scene("lists with a common value are not distinct")
                        .node(
                                "n1",
                                device("d0").numbers("numa", 1, 2),
                                device("d1").numbers("numa", 2, 3))
                        .claim(new ClaimPart("c", request("a"), request("b")).distinct(NUMA))
                        .refuses("n1: a, b can each be met, but not all at once"),
                new Scene("over a request with alternatives")
                        .node(
                                "n1",
                                device("d0").text("numa", "a"),
                                device("d1").text("numa", "b"),
                                device("d2").text("numa", "b"))
                        .claim(new ClaimPart("c", firstOf("r", request("two").count(2), request("one")), request("s"))
                                .same(NUMA))
                        .gives("r/one=n1/d1", "s=n1/d2"),
                new Scene("over one alternative only")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "b"))
                        .claim(new ClaimPart(
                                        "c",
                                        firstOf(
                                                "r",
                                                request("two").count(2),
                                                request("pair").count(2)))
                                .same(NUMA, "r/two"))
                        .gives("r/pair=n1/d0", "r/pair=n1/d1"),
                new Scene("all devices, which agree")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "a"))
                        .claim(new ClaimPart("c", request("r").all()).same(NUMA))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("all devices, which do not agree")
                        .node("n1", device("d0").text("numa", "a"), device("d1").text("numa", "b"))
                        .claim(new ClaimPart("c", request("r").all()).same(NUMA))
                        .refuses("n1: r finds devices, but none that fit together"));
    }
}
