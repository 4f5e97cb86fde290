package dev.berth.apiserver.rules;

/** What a container image's name says. */
final class Images {
    private Images() {}

    /** A moving tag is pulled anew each time. */
    static String pullPolicy(String image) {
        return isLatest(image) ? "Always" : "IfNotPresent";
    }

    private static boolean isLatest(String image) {
        if (image.isEmpty()) return false;
        boolean digest = image.indexOf('@') >= 0;
        String name = digest ? image.substring(0, image.indexOf('@')) : image;
        int colon = name.lastIndexOf(':');
        // The colon of a registry's port is no tag.
        boolean tagged = colon > name.lastIndexOf('/');
        return tagged ? name.substring(colon + 1).equals("latest") : !digest;
    }
}
