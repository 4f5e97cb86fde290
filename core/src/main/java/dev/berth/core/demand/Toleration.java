package dev.berth.core.demand;

import dev.berth.core.Taint;
import java.util.Optional;

/**
 * What marks a choice does not mind.
 *
 * @param key every key when absent
 * @param value every value when absent
 * @param effect every effect when absent
 */
public record Toleration(Optional<String> key, Optional<String> value, Optional<Taint.Effect> effect) {
    public static final Toleration EVERYTHING = new Toleration(Optional.empty(), Optional.empty(), Optional.empty());

    public boolean tolerates(Taint taint) {
        return key.map(taint.key()::equals).orElse(true)
                && value.map(taint.value()::equals).orElse(true)
                && effect.map(taint.effect()::equals).orElse(true);
    }
}
