package dev.berth.claims.dra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is allocated to claims of {@code resource.k8s.io/v1}, feature by feature, and what is refused. */
class AllocationTableTest {
    static Stream<Scene> cases() {
        return Stream.of(
                        SelectionCases.all(),
                        ConstraintCases.all(),
                        PoolCases.all(),
                        SharingCases.all(),
                        LanguageCases.all())
                .flatMap(List::stream);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isAsTheApiDefinesIt(Scene scene) {
        scene.check();
    }

    @Test
    void everyCaseHasANameOfItsOwn() {
        assertThat(cases().map(Scene::toString)).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(150);
    }
}
