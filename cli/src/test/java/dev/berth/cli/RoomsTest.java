package dev.berth.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the house: dependencies point one way, and no name hides what a thing is. */
@AnalyzeClasses(packages = "dev.berth", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
    @ArchTest
    static final ArchRule coreKnowsNobody = noClasses()
            .that()
            .resideInAPackage("dev.berth.core..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("dev.berth.core..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule webKnowsOnlyCore = noClasses()
            .that()
            .resideInAPackage("dev.berth.web..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.berth.kube..", "dev.berth.apiserver..", "dev.berth.cli..", "io.fabric8..");

    @ArchTest
    static final ArchRule kubeKnowsOnlyCore = noClasses()
            .that()
            .resideInAPackage("dev.berth.kube..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.berth.web..", "dev.berth.apiserver..", "dev.berth.cli..", "io.helidon.webserver..");

    @ArchTest
    static final ArchRule apiServerKnowsNoClient = noClasses()
            .that()
            .resideInAPackage("dev.berth.apiserver..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.berth.kube..", "dev.berth.cli..", "io.fabric8..");

    @ArchTest
    static final ArchRule noDoorKnowsAnother = slices().matching(
                    "dev.berth.(assigner|extender|advisor|pinner|claims|console|simulator)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .that()
            .doNotHaveSimpleName("FieldManager") // Kubernetes' own word for who writes a field
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveSimpleNameContaining("Util");

    @ArchTest
    static void everyRoomIsLookedAt(JavaClasses classes) {
        for (String room : new String[] {
            "core",
            "web",
            "kube",
            "apiserver",
            "claims",
            "assigner",
            "extender",
            "pinner",
            "advisor",
            "console",
            "simulator",
            "cli"
        }) {
            assertThat(classes.containPackage("dev.berth." + room)).as(room).isTrue();
        }
    }
}
