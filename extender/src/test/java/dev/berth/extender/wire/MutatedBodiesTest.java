package dev.berth.extender.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bodies that went wrong on their way: each is read or refused with words, never anything else. */
class MutatedBodiesTest {
    private static final long SEED = 20_261_116;
    private static final int ROUNDS = 20_000;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "null",
        "-1",
        "1e400",
        "\\u0000",
        "\"Pod\":",
        "\"Nodes\":",
        "\"items\":",
        "true",
        "99999999999999999999",
        "é"
    };
    private static final List<String> BODIES = List.of("""
            {"Pod":{"metadata":{"name":"p","namespace":"d","uid":"u","annotations":{"tencent.com/predicate-gpu-idx-0":"0,1"}},
             "spec":{"containers":[{"name":"c","resources":{"limits":{"tencent.com/vcuda-core":"50","tencent.com/vcuda-memory":"2"}}}]}},
             "Nodes":{"metadata":{},"items":[{"metadata":{"name":"n","labels":{"model":"M40"}},"status":{"capacity":{"tencent.com/vcuda-core":"400","tencent.com/vcuda-memory":"16"}}}]},
             "NodeNames":null}""", """
            {"Pod":{"metadata":{"name":"p"},"spec":{"initContainers":[{"name":"i","restartPolicy":"Always"}]}},"Nodes":null,"NodeNames":["a","b"]}""", """
            {"task":{"UID":"t","Pod":{"metadata":{"name":"p"}}},"node":{"Name":"n","Node":{"metadata":{"name":"n"}}}}""");

    private final FilterReader reader = new FilterReader("model", "pool");

    @Test
    void aMutatedBodyIsReadOrRefusedWithWords() {
        var random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var body = mutated(BODIES.get(random.nextInt(BODIES.size())), random);
            refused += survives(body) ? 0 : 1;
        }
        assertThat(refused).as("some are refused and some are not").isBetween(ROUNDS / 10, ROUNDS - 10);
    }

    private boolean survives(byte[] body) {
        boolean read = false;
        try {
            var request = reader.read(body);
            FilterReply.all(request);
            request.pod().needsGpu();
            request.pod().demand();
            Assignment.given(request.pod());
            Assignment.madeAt(request.pod());
            for (var candidate : request.candidates()) {
                candidate
                        .described()
                        .ifPresent(described -> assertThat(described.to()).isLessThanOrEqualTo(body.length));
            }
            read = true;
        } catch (MalformedRequestException refused) {
            assertThat(refused.problem()).isNotBlank();
        }
        try {
            VolcanoRequest.read(body);
        } catch (MalformedRequestException refused) {
            assertThat(refused.problem()).isNotBlank();
        }
        return read;
    }

    private static byte[] mutated(String body, Random random) {
        var bytes = new ArrayList<Byte>();
        for (byte each : body.getBytes(StandardCharsets.UTF_8)) {
            bytes.add(each);
        }
        for (int change = random.nextInt(6); change >= 0; change--) {
            int place = random.nextInt(bytes.size() + 1);
            switch (random.nextInt(5)) {
                case 0 -> bytes.subList(place, bytes.size()).clear();
                case 1 ->
                    bytes.subList(place, Math.min(bytes.size(), place + random.nextInt(20)))
                            .clear();
                case 2 -> insert(bytes, place, PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8));
                case 3 -> bytes.add(place, (byte) random.nextInt(256));
                default -> {
                    if (place < bytes.size()) {
                        bytes.set(place, (byte) (bytes.get(place) ^ (1 << random.nextInt(8))));
                    }
                }
            }
            if (bytes.isEmpty()) {
                break;
            }
        }
        var mutated = new byte[bytes.size()];
        for (int place = 0; place < mutated.length; place++) {
            mutated[place] = bytes.get(place);
        }
        return mutated;
    }

    private static void insert(List<Byte> bytes, int place, byte[] piece) {
        for (int each = 0; each < piece.length; each++) {
            bytes.add(place + each, piece[each]);
        }
    }
}
