package dev.berth.e2e.story;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A class of {@link Story stories}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BothServersExtension.class)
public @interface OnBothServers {
    /**
     * True for workloads and garbage collection: kube-controller-manager runs beside the real server, and the embedded
     * one runs its own controllers. Without them nothing writes but the story.
     */
    boolean controllers() default false;
}
