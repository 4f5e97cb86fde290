package dev.berth.claims.api;

/** The prototype's API group, and the names in it that several classes need. */
public final class Group {
    public static final String NAME = "devmgmtproto.k8s.io";
    public static final String API_VERSION = NAME + "/v1alpha1";

    /** Where a pod carries its claims on a server that knows no such fields: the JSON of both fields. */
    public static final String CLAIMS_ANNOTATION = NAME + "/device-claims";

    /** On a claim that was made for a pod: the name that the pod has for it. */
    public static final String POD_CLAIM_ANNOTATION = NAME + "/pod-claim-name";

    private Group() {}
}
