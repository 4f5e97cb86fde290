package dev.berth.apiserver.api;

import dev.berth.apiserver.api.Api.Resource;

/** The resources that controllers and nodes work with. */
public final class Resources {
    public static final Resource CLAIM_TEMPLATES = new Resource("resource.k8s.io", "v1", "resourceclaimtemplates");
    public static final Resource CLAIMS = new Resource("resource.k8s.io", "v1", "resourceclaims");
    public static final Resource CONFIG_MAPS = new Resource("", "v1", "configmaps");
    public static final Resource CONTROLLER_REVISIONS = new Resource("apps", "v1", "controllerrevisions");
    public static final Resource DEPLOYMENTS = new Resource("apps", "v1", "deployments");
    public static final Resource JOBS = new Resource("batch", "v1", "jobs");
    public static final Resource LEASES = new Resource("coordination.k8s.io", "v1", "leases");
    public static final Resource NAMESPACES = new Resource("", "v1", "namespaces");
    public static final Resource NODES = new Resource("", "v1", "nodes");
    public static final Resource PODS = new Resource("", "v1", "pods");
    public static final Resource REPLICA_SETS = new Resource("apps", "v1", "replicasets");
    public static final Resource SERVICE_ACCOUNTS = new Resource("", "v1", "serviceaccounts");
    public static final Resource STATEFUL_SETS = new Resource("apps", "v1", "statefulsets");

    private Resources() {}
}
