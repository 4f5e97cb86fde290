package dev.berth.claims.dra;

import static dev.berth.claims.dra.Parts.device;
import static dev.berth.claims.dra.Parts.devices;
import static dev.berth.claims.dra.Parts.firstOf;
import static dev.berth.claims.dra.Parts.request;

import java.util.List;

/** Which devices a request gets: classes, selectors, counts, alternatives. */
final class SelectionCases {
    private static final String MODEL_B = "device.attributes['dra.example.com'].model == 'b'";

    private SelectionCases() {}

    static List<Scene> all() {
        return List.of(
                new Scene("the first device as listed is taken")
                        .node("n1", devices("d", 3))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("the order is the list's, not the name's")
                        .node("n1", device("z"), device("a"))
                        .claim(request("r"))
                        .gives("r=n1/z"),
                new Scene("a node without devices has none")
                        .node("n1")
                        .claim(request("r"))
                        .refuses("no devices"),
                new Scene("a pool of another node is of no use")
                        .node("n1")
                        .slice(new Parts.SlicePart("s", "p", devices("d", 1)).on("n2"))
                        .claim(request("r"))
                        .refuses("n1: no devices"),
                new Scene("two requests get two devices")
                        .node("n1", devices("d", 2))
                        .claim(request("a"), request("b"))
                        .gives("a=n1/d0", "b=n1/d1"),
                new Scene("two requests need two devices")
                        .node("n1", devices("d", 1))
                        .claim(request("a"), request("b"))
                        .refuses("a, b can each be met, but not all at once"),
                new Scene("two claims get two devices")
                        .node("n1", devices("d", 2))
                        .claim(request("r"))
                        .claim(request("r"))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("two claims need two devices")
                        .node("n1", devices("d", 1))
                        .claim(request("r"))
                        .claim(request("r"))
                        .refuses("not all at once"),
                new Scene("a count of two is two")
                        .node("n1", devices("d", 3))
                        .claim(request("r").count(2))
                        .gives("r=n1/d0", "r=n1/d1"),
                new Scene("a count above what there is")
                        .node("n1", devices("d", 3))
                        .claim(request("r").count(4))
                        .refuses("r wants 4 devices", "of 3", "3 free"),
                new Scene("all is all")
                        .node("n1", devices("d", 3))
                        .claim(request("r").all())
                        .gives("r=n1/d0", "r=n1/d1", "r=n1/d2"),
                new Scene("all of those that suit")
                        .node(
                                "n1",
                                device("d0").text("model", "a"),
                                device("d1").text("model", "b"))
                        .claim(request("r").all().where(MODEL_B))
                        .gives("r=n1/d1"),
                new Scene("all of none is nothing")
                        .node("n1", device("d0").text("model", "a"))
                        .claim(request("r").all().where(MODEL_B))
                        .refuses("r wants every device that suits"),
                new Scene("all needs each of them free")
                        .node("n1", devices("d", 2))
                        .other(new Parts.ClaimPart("other", request("x")).holding("x", "n1", "d1"))
                        .claim(request("r").all())
                        .refuses("1 held by default/other"),
                new Scene("all leaves nothing for the next request")
                        .node("n1", devices("d", 2))
                        .claim(request("a").all(), request("b"))
                        .refuses("not all at once"),
                new Scene("an unknown mode")
                        .node("n1", devices("d", 2))
                        .claim(request("r").mode("Most"))
                        .refuses("request r: unsupported count mode Most"),
                new Scene("an unknown class")
                        .node("n1", devices("d", 2))
                        .claim(request("r").of("none"))
                        .refuses("request r: device class none does not exist"),
                new Scene("no class at all")
                        .node("n1", devices("d", 2))
                        .claim(request("r").of(""))
                        .refuses("missing device class name"),
                new Scene("a class selects")
                        .deviceClass("b", MODEL_B)
                        .node(
                                "n1",
                                device("d0").text("model", "a"),
                                device("d1").text("model", "b"))
                        .claim(request("r").of("b"))
                        .gives("r=n1/d1"),
                new Scene("a class that nothing meets, with its text and the value")
                        .deviceClass("b", MODEL_B)
                        .node("n1", device("d0").text("model", "a"))
                        .claim(request("r").of("b"))
                        .refuses("class b selector #0: does not meet " + MODEL_B + " (model is a)"),
                new Scene("a request selects")
                        .node(
                                "n1",
                                device("d0").text("model", "a"),
                                device("d1").text("model", "b"))
                        .claim(request("r").where(MODEL_B))
                        .gives("r=n1/d1"),
                new Scene("a request that nothing meets, with its text and the value")
                        .node("n1", device("d0").text("model", "a"))
                        .claim(request("r").where(MODEL_B))
                        .refuses("request selector #0: does not meet " + MODEL_B + " (model is a)"),
                new Scene("class and request must both agree")
                        .deviceClass("b", MODEL_B)
                        .node(
                                "n1",
                                device("d0").text("model", "b").number("n", 1),
                                device("d1").text("model", "b").number("n", 2))
                        .claim(request("r").of("b").where("device.attributes['dra.example.com'].n == 2"))
                        .gives("r=n1/d1"),
                new Scene("every selector of a request must agree")
                        .node("n1", device("d0").text("model", "b").number("n", 1))
                        .claim(request("r").where(MODEL_B).where("device.attributes['dra.example.com'].n > 1"))
                        .refuses("request selector #1", "n is 1"),
                new Scene("by driver")
                        .node("n1", devices("d", 1))
                        .slice(new Parts.SlicePart("s2", "other", devices("x", 1))
                                .driver("b.example.com")
                                .on("n1"))
                        .claim(request("r").where("device.driver == 'dra.example.com'"))
                        .gives("r=n1/d0"),
                new Scene("by a driver that is not there")
                        .node("n1", devices("d", 1))
                        .claim(request("r").where("device.driver == 'b.example.com'"))
                        .refuses("driver is dra.example.com"),
                new Scene("pools by driver, then by name")
                        .node("n1")
                        .slice(new Parts.SlicePart("s1", "a", devices("x", 1))
                                .driver("z.example.com")
                                .on("n1"))
                        .slice(new Parts.SlicePart("s2", "z", devices("y", 1))
                                .driver("a.example.com")
                                .on("n1"))
                        .slice(new Parts.SlicePart("s3", "b", devices("w", 1))
                                .driver("a.example.com")
                                .on("n1"))
                        .claim(request("r").count(3))
                        .gives("r=b/w0", "r=z/y0", "r=a/x0"),
                new Scene("slices of a pool by name")
                        .node("n1")
                        .slice(new Parts.SlicePart("s2", "p", devices("b", 1))
                                .of(2)
                                .on("n1"))
                        .slice(new Parts.SlicePart("s1", "p", devices("a", 1))
                                .of(2)
                                .on("n1"))
                        .claim(request("r").count(2))
                        .gives("r=p/a0", "r=p/b0"),
                new Scene("the first alternative that can be had")
                        .deviceClass("b", MODEL_B)
                        .node(
                                "n1",
                                device("d0").text("model", "a"),
                                device("d1").text("model", "b"))
                        .claim(firstOf("r", request("best").of("b"), request("other")))
                        .gives("r/best=n1/d1"),
                new Scene("the second alternative if the first cannot be had")
                        .deviceClass("b", MODEL_B)
                        .node("n1", device("d0").text("model", "a"))
                        .claim(firstOf("r", request("best").of("b"), request("other")))
                        .gives("r/other=n1/d0"),
                new Scene("no alternative can be had")
                        .deviceClass("b", MODEL_B)
                        .node("n1", device("d0").text("model", "a"))
                        .claim(firstOf(
                                "r", request("best").of("b"), request("two").count(2)))
                        .refuses("r wants 2 devices"),
                new Scene("alternatives of different counts")
                        .node("n1", devices("d", 2))
                        .claim(firstOf(
                                "r", request("three").count(3), request("two").count(2)))
                        .gives("r/two=n1/d0", "r/two=n1/d1"),
                new Scene("an alternative gives way to a later request")
                        .node("n1", devices("d", 2))
                        .claim(firstOf("r", request("two").count(2), request("one")), request("s"))
                        .gives("r/one=n1/d0", "s=n1/d1"),
                new Scene("an alternative that asks for all")
                        .node("n1", devices("d", 2))
                        .claim(firstOf("r", request("all").all(), request("one")))
                        .gives("r/all=n1/d0", "r/all=n1/d1"),
                new Scene("an alternative with an unknown class spoils the claim")
                        .node("n1", devices("d", 2))
                        .claim(firstOf("r", request("one"), request("two").of("none")))
                        .refuses("request r/two: device class none does not exist"),
                new Scene("a later request may need what an earlier one could have")
                        .node(
                                "n1",
                                device("d0").text("model", "b"),
                                device("d1").text("model", "a"))
                        .claim(request("any"), request("b").where(MODEL_B))
                        .gives("any=n1/d1", "b=n1/d0"),
                new Scene("as many devices as a claim can have")
                        .node("n1", devices("d", 40))
                        .claim(request("a").count(16), request("b").count(16))
                        .gives(range("a", 0, 16, "b", 16, 32)),
                new Scene("more devices than a claim can have")
                        .node("n1", devices("d", 40))
                        .claim(request("a").count(33))
                        .refuses("number of requested devices 33 exceeds the claim limit of 32"),
                new Scene("all of more devices than a claim can have")
                        .node("n1", devices("d", 33))
                        .claim(request("a").all())
                        .refuses("n1: a finds devices, but none that fit together"),
                new Scene("an alternative beyond what a claim can have is passed over")
                        .node("n1", devices("d", 40))
                        .claim(firstOf("a", request("many").count(33), request("one")))
                        .gives("a/one=n1/d0"),
                new Scene("alternatives that go beyond it together")
                        .node("n1", devices("d", 40))
                        .claim(
                                firstOf("a", request("many").count(20), request("one")),
                                firstOf("b", request("many").count(20), request("one")))
                        .gives(concat(range("a/many", 0, 20, "", 0, 0), "b/one=n1/d20")),
                new Scene("two claims may have more together than one")
                        .node("n1", devices("d", 40))
                        .claim(request("a").count(20))
                        .claim(request("b").count(20))
                        .gives(range("a", 0, 20, "b", 20, 40)),
                new Scene("what somebody else holds is not given")
                        .node("n1", devices("d", 2))
                        .other(new Parts.ClaimPart("other", request("x")).holding("x", "n1", "d0"))
                        .claim(request("r"))
                        .gives("r=n1/d1"),
                new Scene("what somebody else holds is missing")
                        .node("n1", devices("d", 1))
                        .other(new Parts.ClaimPart("other", request("x")).holding("x", "n1", "d0"))
                        .claim(request("r"))
                        .refuses("1 held by default/other"),
                new Scene("what is held of a device that nobody publishes")
                        .node("n1", devices("d", 1))
                        .other(new Parts.ClaimPart("other", request("x")).holding("x", "n1", "gone"))
                        .claim(request("r"))
                        .gives("r=n1/d0"),
                new Scene("a claim that has its devices keeps them")
                        .node("n1", devices("d", 2))
                        .claim(new Parts.ClaimPart("mine", request("r"))
                                .holding("r", "n1", "d1")
                                .only("n1"))
                        .goesTo("n1", "r=n1/d1"),
                new Scene("a claim that has its devices takes the pod to them")
                        .node("n1", devices("d", 2))
                        .node("n2", devices("d", 2))
                        .claim(new Parts.ClaimPart("mine", request("r"))
                                .holding("r", "n2", "d1")
                                .only("n2"))
                        .goesTo("n2", "r=n2/d1"),
                new Scene("a claim that has its devices on a node that is not there")
                        .node("n1", devices("d", 2))
                        .claim(new Parts.ClaimPart("mine", request("r"))
                                .holding("r", "n2", "d1")
                                .only("n2"))
                        .refuses("resourceclaim mine is not available on the node"),
                new Scene("one claim has its devices, the other gets them there")
                        .node("n1", devices("d", 2))
                        .node("n2", devices("d", 2))
                        .claim(new Parts.ClaimPart("mine", request("r"))
                                .holding("r", "n2", "d0")
                                .only("n2"))
                        .claim(request("s"))
                        .goesTo("n2", "r=n2/d0", "s=n2/d1"),
                new Scene("the first node by name that will do")
                        .node("n1", devices("d", 1))
                        .node("n2", devices("d", 2))
                        .claim(request("r").count(2))
                        .goesTo("n2", "r=n2/d0", "r=n2/d1"),
                new Scene("no node alone has enough")
                        .node("n1", devices("d", 1))
                        .node("n2", devices("d", 1))
                        .claim(request("r").count(2))
                        .refuses("n1: r wants 2 devices", "n2: r wants 2 devices"));
    }

    private static String[] range(String one, int from, int to, String other, int otherFrom, int otherTo) {
        var all = new java.util.ArrayList<String>();
        for (int index = from; index < to; index++) {
            all.add("%s=n1/d%d".formatted(one, index));
        }
        for (int index = otherFrom; index < otherTo; index++) {
            all.add("%s=n1/d%d".formatted(other, index));
        }
        return all.toArray(String[]::new);
    }

    private static String[] concat(String[] some, String more) {
        var all = new java.util.ArrayList<>(List.of(some));
        all.add(more);
        return all.toArray(String[]::new);
    }
}
