package dev.berth.claims.dra.cel;

import dev.berth.claims.api.Quantities;
import dev.berth.claims.cel.CompilerWords;
import dev.berth.claims.cel.Remembered;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.cel.common.CelValidationException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** A selector's expression, compiled once. Two with the same text are equal. */
public final class Selector {
    private static final Pattern MENTIONED =
            Pattern.compile("device\\.(attributes|capacity)\\[[\"']([^\"']+)[\"']\\]\\.\\??([A-Za-z_][A-Za-z0-9_]*)");
    private static final Remembered<Selector> COMPILED = new Remembered<>(Selector::compile);

    private final String text;
    private final CelRuntime.Program program;
    private final CostPlan plan;

    private Selector(String text, CelRuntime.Program program, CostPlan plan) {
        this.text = text;
        this.program = program;
        this.plan = plan;
    }

    /** What a selector says of a device. */
    public sealed interface Answer {
        Answer YES = new Yes();

        record Yes() implements Answer {}

        /** In words that follow "it". */
        record No(String why) implements Answer {}

        /** There is no answer: in Kubernetes this ends the attempt. */
        record Failed(String why) implements Answer {}
    }

    /**
     * The selector, compiled now or before.
     *
     * @throws InvalidSelectorException for text that is not CEL, or does not say yes or no
     */
    public static Selector of(String text) {
        return COMPILED.of(text);
    }

    private static Selector compile(String text) {
        try {
            var checked = DeviceLanguage.COMPILER.compile(text).getAst();
            DeviceLanguage.VALIDATOR.validate(checked).getAst();
            return new Selector(text, DeviceLanguage.RUNTIME.createProgram(checked), CostPlan.of(checked));
        } catch (CelValidationException | CelEvaluationException wrong) {
            throw new InvalidSelectorException(text, CompilerWords.of(wrong), wrong);
        }
    }

    public Answer ask(Device device) {
        return ask(device, new CostMeter(plan));
    }

    /** What it costs to ask; nothing where that is more than it may. */
    Optional<Long> cost(Device device) {
        var meter = new CostMeter(plan);
        return ask(device, meter) instanceof Answer.Failed(var why) && why.contains(CostLimitError.WORDS)
                ? Optional.empty()
                : Optional.of(meter.cost());
    }

    private Answer ask(Device device, CostMeter meter) {
        String driver = SliceDevice.driver(device);
        var attributes = new Domains();
        device.attributes().forEach((name, value) -> {
            if (!SliceDevice.isOwn(name)) {
                attributes.put(name, driver, value(value));
            }
        });
        var capacities = new Domains();
        device.capacities().forEach((name, capacity) -> capacities.put(name, driver, capacity.amount()));
        Map<String, Object> seen = Map.of(
                DeviceLanguage.DRIVER, driver,
                DeviceLanguage.SHAREABLE, device.shareable(),
                DeviceLanguage.ATTRIBUTES, attributes,
                DeviceLanguage.CAPACITY, capacities);
        try {
            return switch (program.trace(Map.of(DeviceLanguage.DEVICE, seen), meter::heard)) {
                case Boolean yes when yes -> Answer.YES;
                case Boolean _ -> new Answer.No("does not meet %s%s".formatted(text, values(device, driver)));
                default -> new Answer.Failed("%s says neither yes nor no".formatted(text));
            };
        } catch (CelEvaluationException failed) {
            return new Answer.Failed("%s: %s".formatted(text, reason(failed)));
        } catch (RuntimeException | CostLimitError failed) {
            return new Answer.Failed("%s: %s".formatted(text, failed.getMessage()));
        }
    }

    private static String reason(CelEvaluationException failed) {
        Throwable cause = failed.getCause();
        return cause instanceof IllegalArgumentException && cause.getMessage() != null
                ? cause.getMessage()
                : String.valueOf(failed.getMessage()).replaceFirst("^evaluation error(?: at \\S*)?: ", "");
    }

    private static Object value(Attribute attribute) {
        return switch (attribute) {
            case Attribute.Text(var words) -> words;
            case Attribute.Whole(var number) -> number;
            case Attribute.Flag(var flag) -> flag;
            case Attribute.Version(var version) ->
                Version.parse(version).<Object>map(parsed -> parsed).orElse(version);
            case Attribute.Amount(var quantity) -> quantity;
            case Attribute.Many(var values) ->
                values.stream().map(Selector::value).toList();
        };
    }

    /** What the device has of the attributes and capacities that the text names, for people. */
    private String values(Device device, String driver) {
        var said = new LinkedHashSet<String>();
        var mentioned = MENTIONED.matcher(text);
        while (mentioned.find()) {
            String name = mentioned.group(2) + "/" + mentioned.group(3);
            String found = mentioned.group(1).equals(DeviceLanguage.ATTRIBUTES)
                    ? Optional.ofNullable(device.attributes().get(name))
                            .map(Attribute::text)
                            .orElse("not set")
                    : capacity(device, driver, mentioned.group(2), mentioned.group(3));
            said.add("%s is %s".formatted(mentioned.group(3), found));
        }
        if (text.contains("device.driver")) {
            said.add("driver is " + driver);
        }
        return said.isEmpty() ? "" : " (%s)".formatted(String.join(", ", said));
    }

    private static String capacity(Device device, String driver, String domain, String name) {
        List<String> names = new ArrayList<>(List.of(domain + "/" + name));
        if (domain.equals(driver)) {
            names.add(name);
        }
        return names.stream()
                .flatMap(each -> Optional.ofNullable(device.capacities().get(each)).stream())
                .findFirst()
                .map(capacity -> Quantities.text(capacity.amount()))
                .orElse("not set");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selector selector && text.equals(selector.text);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
