package dev.berth.cli.up;

import java.util.Locale;

/** What can be opened; the plain scheduler is none of Berth's doors, but stands beside them. */
public enum Door {
    ASSIGNER("pods with a label fudo.org/gpu.*"),
    EXTENDER("schedulerName: gpu-admission-scheduler"),
    ADVISOR("pods with the annotation app.kubernetes.io/job-type"),
    PINNER("schedulerName: gpu-scheduler"),
    CLAIMS("schedulerName: berth"),
    SCHEDULER("all other pods");

    private final String takes;

    Door(String takes) {
        this.takes = takes;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Which pods are its business. */
    public String takes() {
        return takes;
    }
}
