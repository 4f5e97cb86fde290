package dev.berth.claims.dra;

import static dev.berth.claims.dra.Parts.device;
import static dev.berth.claims.dra.Parts.request;

import java.util.List;

/** What selectors can say, each case with a device that is meant and one that is not. */
final class LanguageCases {
    private static final String A = "device.attributes['dra.example.com']";
    private static final String C = "device.capacity['dra.example.com']";

    private LanguageCases() {}

    /** {@code d0} is not meant, {@code d1} is. */
    private static Scene meant(String what, String expression) {
        return new Scene("CEL: " + what)
                .node(
                        "n1",
                        device("d0")
                                .text("model", "v100-pcie")
                                .number("index", 3)
                                .flag("healthy", false)
                                .version("driver", "1.8.0")
                                .texts("links", "a", "b")
                                .numbers("lanes", 4, 1)
                                .text("other.example.com/zone", "east")
                                .capacity("memory", "16Gi"),
                        device("d1")
                                .text("model", "a100-sxm")
                                .number("index", 4)
                                .flag("healthy", true)
                                .version("driver", "1.10.0")
                                .texts("links", "b", "c")
                                .numbers("lanes", 2, 8)
                                .text("other.example.com/zone", "west")
                                .capacity("memory", "80Gi")
                                .capacity("cores", "2500m"))
                .claim(request("r").where(expression))
                .gives("r=n1/d1");
    }

    private static Scene failing(String what, String expression, String why) {
        return new Scene("CEL: " + what)
                .node("n1", device("d0").text("model", "x").number("index", 1).capacity("memory", "16Gi"))
                .claim(request("r").where(expression))
                .refuses("CEL runtime error", why);
    }

    private static Scene malformed(String what, String expression, String why) {
        return new Scene("CEL: " + what)
                .node("n1", device("d0"))
                .claim(request("r").where(expression))
                .isMalformed("CEL compile error", why);
    }

    static List<Scene> all() {
        return List.of(
                meant("a text", A + ".model == 'a100-sxm'"),
                meant("a number", A + ".index > 3"),
                meant("a number against a fraction", A + ".index > 3.5"),
                meant("a flag", A + ".healthy"),
                meant("a flag, negated", "!(" + A + ".healthy == false)"),
                meant("by key", A + "['model'].startsWith('a')"),
                meant("another domain", "device.attributes['other.example.com'].zone == 'west'"),
                meant("versions are not letters", A + ".driver.compareTo(semver('1.9.0')) > 0"),
                meant("a later version", A + ".driver.isGreaterThan(semver('1.9.0'))"),
                meant("parts of a version", A + ".driver.minor() == 10"),
                meant("an equal version", A + ".driver == semver('1.10.0')"),
                meant("a version that is forgiven", A + ".driver == semver('v1.10', true)"),
                meant("a quantity", C + ".memory.compareTo(quantity('40Gi')) >= 0"),
                meant("a larger quantity", C + ".memory.isGreaterThan(quantity('20G'))"),
                meant("an equal quantity", C + ".memory == quantity('81920Mi')"),
                meant("sums of quantities", C + ".memory.sub(quantity('10Gi')).isGreaterThan(quantity('60Gi'))"),
                meant("a quantity as a number", C + ".memory.asInteger() > 17179869184"),
                meant("a quantity as a fraction", "has(" + C + ".cores) && " + C + ".cores.asApproximateFloat() > 2.4"),
                meant("a quantity that is no integer", "has(" + C + ".cores) && !" + C + ".cores.isInteger()"),
                meant("has", "has(" + C + ".cores)"),
                meant("a domain that no device has is empty", "!has(device.attributes['none'].x) && " + A + ".healthy"),
                meant("a domain that is asked for", "!('none' in device.attributes) && " + A + ".healthy"),
                meant("a name that is asked for", "'cores' in " + C),
                meant("optional with a default", C + ".?cores.orValue(quantity('1')).isGreaterThan(quantity('2'))"),
                meant("optional that is not there", A + ".?none.orValue('x') == 'x' && " + A + ".healthy"),
                meant("bind", "cel.bind(a, " + A + ", a.model == 'a100-sxm' && a.index == 4)"),
                meant("matches", A + ".model.matches('^a[0-9]+')"),
                meant("find", A + ".model.find('[0-9]+') == '100' && " + A + ".healthy"),
                meant("findAll", A + ".model.findAll('[a-z]+') == ['a', 'sxm']"),
                meant("split", A + ".model.split('-')[1] == 'sxm'"),
                meant("lowerAscii and substring", A + ".model.upperAscii().substring(0, 4) == 'A100'"),
                meant("replace", A + ".model.replace('-sxm', '') == 'a100'"),
                meant("in a list", A + ".model in ['a100-sxm', 'h100']"),
                meant("a value among many", "'c' in " + A + ".links"),
                meant("includes, of many", A + ".links.includes('c')"),
                meant("includes, of one", A + ".model.includes('a100-sxm')"),
                meant("exists over many", A + ".links.exists(link, link == 'c')"),
                meant("all over many", A + ".lanes.all(lane, lane > 1)"),
                meant("the sum of many", A + ".lanes.sum() == 10"),
                meant("the largest of many", A + ".lanes.max() == 8"),
                meant("sorted", A + ".lanes.isSorted()"),
                meant("the place in a list", A + ".links.indexOf('c') == 1"),
                meant("size", "size(" + C + ") == 2"),
                meant("a choice", "(" + A + ".index == 4 ? 'yes' : 'no') == 'yes'"),
                meant("sets", "sets.contains(" + A + ".links, ['c'])"),
                meant("an error on one side of or does not matter", A + ".healthy || " + A + ".none == 'x'"),
                meant("isSemver", "isSemver('1.2.3') && !isSemver('1.2') && " + A + ".healthy"),
                meant("isQuantity", "isQuantity('1Gi') && !isQuantity('1Zz') && " + A + ".healthy"),
                meant(
                        "an address",
                        "cidr('10.0.0.0/8').containsIP('10.' + string(" + A + ".index) + '.0.1') && " + A + ".healthy"),
                meant("a URL", "url('https://' + " + A + ".model + ':80/').getHostname() == 'a100-sxm'"),
                meant(
                        "a named format",
                        "!format.dns1123Label().validate(" + A + ".model).hasValue() && " + A + ".healthy"),
                failing("an address that is none", "ip(" + A + ".model).isLoopback()", "not an IP address: 'x'"),
                failing("an attribute that is not there", A + ".none == 'x'", "none"),
                failing("a capacity that is not there", C + ".none.isGreaterThan(quantity('1'))", "none"),
                failing("a text where a version is needed", A + ".model.isGreaterThan(semver('1.0.0'))", "d0"),
                failing("a result that is no truth", A + ".model", "neither yes nor no"),
                failing("a quantity that is none", C + ".memory == quantity('much')", "much"),
                failing(
                        "a cost above the limit, with the place where it arose",
                        "lists.range(1000000).all(x, lists.range(1000000).all(y, x <= y))",
                        "request selector #0: CEL runtime error: lists.range(1000000).all(x, lists.range(1000000)"
                                + ".all(y, x <= y)): operation cancelled: actual cost limit exceeded (1000000)"),
                failing(
                        "a pattern that would take gigabytes",
                        A + ".model.matches('(((a{1000}){1000}){1000})')",
                        "cost limit exceeded"),
                new Scene("CEL: a device that cannot be judged is passed over")
                        .node("n1", device("d0"), device("d1").text("model", "x"))
                        .claim(request("r").where(A + ".model == 'x'"))
                        .gives("r=n1/d1"),
                new Scene("CEL: a device that cannot be judged is missed by all")
                        .node("n1", device("d0"), device("d1").text("model", "x"))
                        .claim(request("r").all().where(A + ".model == 'x'"))
                        .refuses("CEL runtime error"),
                malformed("nonsense", "device.", "at 1"),
                malformed("an unknown field", "device.model == 'x'", "model"),
                malformed("an unknown variable", "gpu.model == 'x'", "gpu"),
                malformed("an unknown function", "device.driver.shout()", "shout"),
                malformed("no truth", "device.driver", "bool"),
                malformed("a list of two types", "device.driver in ['a', 1]", "at 1"));
    }
}
