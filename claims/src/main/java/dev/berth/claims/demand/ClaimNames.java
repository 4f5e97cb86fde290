package dev.berth.claims.demand;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.Group;
import dev.berth.claims.demand.PodPlans.PodIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * The names of claims that are made for pods: the same for the same pod, so that a second try finds the first one's.
 */
final class ClaimNames {
    private static final int LONGEST = 253;
    private static final String TEMPLATE_PREFIX = "template-";

    private ClaimNames() {}

    static String of(String pod, String entry) {
        return fitting(pod + "-" + entry);
    }

    static String ofTemplate(String pod, String template) {
        return of(pod, template.startsWith(TEMPLATE_PREFIX) ? template.substring(TEMPLATE_PREFIX.length()) : template);
    }

    private static String fitting(String name) {
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^-a-z0-9.]", "-").replaceAll("[-.]+$", "");
        if (plain.equals(name) && name.length() <= LONGEST) {
            return name;
        }
        var checksum = new CRC32();
        checksum.update(name.getBytes(StandardCharsets.UTF_8));
        String end = "-%08x".formatted(checksum.getValue());
        return plain.substring(0, Math.min(plain.length(), LONGEST - end.length())) + end;
    }

    /** Whether the claim was made for this pod, under this name. */
    static boolean isOf(DeviceClaim claim, PodIdentity pod, String podClaimName) {
        if (!podClaimName.equals(claim.metadata()
                .all()
                .path("annotations")
                .path(Group.POD_CLAIM_ANNOTATION)
                .asText())) {
            return false;
        }
        for (JsonNode owner : claim.metadata().all().path("ownerReferences")) {
            boolean samePod = owner.path("kind").asText().equals("Pod")
                    && owner.path("name").asText().equals(pod.name());
            String uid = owner.path("uid").asText("");
            if (samePod && (pod.uid().isEmpty() || uid.isEmpty() || uid.equals(pod.uid()))) {
                return true;
            }
        }
        return false;
    }
}
