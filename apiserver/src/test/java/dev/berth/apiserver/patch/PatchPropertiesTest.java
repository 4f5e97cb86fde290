package dev.berth.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schema;
import java.time.Instant;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds for any pod and any patch. A failure names the seed that makes it come back. */
class PatchPropertiesTest {
    private static final int ROUNDS = 150;
    private static final ResourceType PODS = Kinds.pods();
    private static final Schema POD = PODS.schema();

    private static void always(Consumer<Random> property) {
        long start = Long.getLong("seed", System.nanoTime());
        for (long seed = start; seed < start + ROUNDS; seed++) {
            try {
                property.accept(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("fails with -Dseed=" + seed, e);
            }
        }
    }

    @Test
    void aStrategicMergePatchTwiceIsThePatchOnce() {
        always(random -> {
            ObjectNode pod = pod(random);
            ObjectNode patch = pod(random);
            ObjectNode once = StrategicMergePatch.apply(pod, patch, POD);
            assertThat(StrategicMergePatch.apply(once, patch, POD).toString()).isEqualTo(once.toString());
        });
    }

    @Test
    void aMergePatchTwiceIsThePatchOnce() {
        always(random -> {
            ObjectNode patch = pod(random);
            ObjectNode once = MergePatch.apply(pod(random), patch);
            assertThat(MergePatch.apply(once, patch)).isEqualTo(once);
        });
    }

    @Test
    void anApplyTwiceIsTheApplyOnce() {
        always(random -> {
            var manager = new FieldManager("m", PODS, "", Instant.EPOCH);
            var later = new FieldManager("m", PODS, "", Instant.EPOCH.plusSeconds(9));
            ObjectNode live = created(random);
            ObjectNode applied = pod(random);
            ObjectNode once = manager.apply(live, applied, true);
            assertThat(later.apply(once, applied, true).toString()).isEqualTo(once.toString());
        });
    }

    @Test
    void afterAnApplyTheObjectSaysWhatWasApplied() {
        always(random -> {
            ObjectNode applied = pod(random);
            ObjectNode result = new FieldManager("m", PODS, "", Instant.EPOCH).apply(created(random), applied, true);
            assertThat(TypedMerge.merge(result, applied, POD)).isEqualTo(result);
        });
    }

    @Test
    void takingBackWhatWasAppliedBesideTheOthersGivesBackWhatWasThere() {
        always(random -> {
            var manager = new FieldManager("m", PODS, "", Instant.EPOCH);
            ObjectNode live = created(random);
            ObjectNode applied = Json.object("{apiVersion:'v1',kind:'Pod'}");
            applied.putObject("metadata").putObject("labels").put("mine", "1").put("also", "2");
            ObjectNode container =
                    applied.putObject("spec").putArray("containers").addObject();
            container.put("name", "mine").put("image", "i");
            ObjectNode shared =
                    applied.withObject("/spec").withArrayProperty("containers").addObject();
            shared.put("name", "c0").put("workingDir", "/mine");

            ObjectNode with = manager.apply(live, applied, false);
            ObjectNode back = manager.apply(with, Json.object("{apiVersion:'v1',kind:'Pod'}"), false);

            assertThat(with).isNotEqualTo(live);
            assertThat(back).isEqualTo(live);
        });
    }

    @Test
    void setsKeepTheLawsOfSets() {
        always(random -> {
            FieldSet a = AppliedFields.of(pod(random), POD);
            FieldSet b = Difference.changed(Json.object("{}"), pod(random), POD);
            assertThat(a.minus(b).union(a.intersect(b)).tree()).isEqualTo(a.tree());
            assertThat(a.union(b).tree()).isEqualTo(b.union(a).tree());
            assertThat(a.minus(b).intersect(b).isEmpty()).isTrue();
            assertThat(a.union(b).minus(b).tree()).isEqualTo(a.minus(b).tree());
            assertThat(a.minus(a).isEmpty()).isTrue();
        });
    }

    @Test
    void whatIsEncodedDecodesToTheSame() {
        always(random -> {
            ObjectNode live = created(random);
            ObjectNode again = live.deepCopy();
            ManagedFields.of(live).writeTo(again);
            assertThat(again).isEqualTo(live);
        });
    }

    @Test
    void whoeverWroteEverythingOwnsEverythingThatIsThere() {
        always(random -> {
            ObjectNode live = created(random);
            ObjectNode next = created(random);
            new FieldManager("other", PODS, "", Instant.EPOCH).recordUpdate(live, next);
            FieldSet owned = FieldSet.empty();
            for (ManagedEntry entry : ManagedFields.of(next).all()) owned = owned.union(entry.fields());
            FieldManager.removeManagedFields(next);
            FieldSet there = Untracked.withoutIdentity(AppliedFields.of(next, POD));
            assertThat(there.minus(owned).paths()).isEmpty();
        });
    }

    private static ObjectNode created(Random random) {
        ObjectNode pod = pod(random);
        new FieldManager("creator", PODS, "", Instant.EPOCH).recordUpdate(null, pod);
        return pod;
    }

    private static ObjectNode pod(Random random) {
        ObjectNode pod = Json.object("{apiVersion:'v1',kind:'Pod',metadata:{name:'p'}}");
        if (random.nextBoolean()) map(random, pod.withObject("/metadata").putObject("labels"));
        if (random.nextBoolean()) words(random, pod.withObject("/metadata").putArray("finalizers"));
        ObjectNode spec = pod.putObject("spec");
        ArrayNode containers = spec.putArray("containers");
        for (int i = 0; i < 4; i++) if (i == 0 || random.nextBoolean()) container(random, containers.addObject(), i);
        if (random.nextBoolean()) map(random, spec.putObject("nodeSelector"));
        if (random.nextBoolean()) spec.putArray("tolerations").addObject().put("key", word(random));
        if (random.nextBoolean()) spec.put("priority", random.nextInt(3));
        if (random.nextBoolean()) spec.putObject("undeclared").put("a", random.nextInt(3));
        return pod;
    }

    private static void container(Random random, ObjectNode container, int number) {
        container.put("name", "c" + number);
        if (random.nextBoolean()) container.put("image", word(random));
        if (random.nextBoolean()) words(random, container.putArray("command"));
        if (random.nextBoolean()) map(random, container.putObject("resources").putObject("limits"));
        if (random.nextBoolean()) {
            container
                    .putArray("ports")
                    .addObject()
                    .put("containerPort", 80 + random.nextInt(2))
                    .put("name", word(random));
        }
        ArrayNode variables = JsonNodeFactory.instance.arrayNode();
        for (String name : new String[] {"X", "Y", "Z"}) {
            if (random.nextBoolean()) variables.addObject().put("name", name).put("value", word(random));
        }
        if (!variables.isEmpty()) container.set("env", variables);
    }

    private static void map(Random random, ObjectNode map) {
        for (int i = 0; i <= random.nextInt(3); i++) map.put(word(random), word(random));
    }

    private static void words(Random random, ArrayNode list) {
        list.add(word(random) + "1");
        if (random.nextBoolean()) list.add(word(random) + "2");
    }

    private static String word(Random random) {
        return String.valueOf((char) ('a' + random.nextInt(5)));
    }
}
