package dev.berth.web.admission;

import dev.berth.web.ErrorReplies;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A webhook at one path: reads the review, asks the door, writes the reply. What the door throws is a 500, which the
 * API server handles by the webhook's failurePolicy.
 */
public final class AdmissionRoute {
    private static final Pattern SECONDS = Pattern.compile("([1-9]\\d{0,3})s");

    private final String path;
    private final Door door;
    private final Function<MalformedReviewException, AdmissionReply> malformed;
    private final Counter reviews;

    /** What answers the reviews. */
    @FunctionalInterface
    public interface Door {
        /** @param within how long the API server waits for the reply, where it says so */
        AdmissionReply answer(AdmissionRequest request, Optional<Duration> within);
    }

    private AdmissionRoute(
            String path, Door door, Function<MalformedReviewException, AdmissionReply> malformed, Counter reviews) {
        this.path = path;
        this.door = door;
        this.malformed = malformed;
        this.reviews = reviews;
    }

    /** The counter that all webhooks of a door share. */
    public static Counter reviewCounter(PrometheusRegistry registry, String door) {
        return Counter.builder()
                .name("berth_admission_reviews_total")
                .help(
                        "Admission reviews answered, by path and result: patched, allowed (as it was), denied or malformed.")
                .labelNames("route", "result")
                .constLabels(Labels.of("door", door))
                .register(registry);
    }

    /** A malformed review is answered with 400. */
    public static AdmissionRoute at(String path, Counter reviews, Function<AdmissionRequest, AdmissionReply> door) {
        return within(path, reviews, (request, _) -> door.apply(request));
    }

    /** The same for a door that must know when nobody waits for its answer any more. */
    public static AdmissionRoute within(String path, Counter reviews, Door door) {
        return new AdmissionRoute(
                path,
                door,
                problem -> {
                    throw refusal(problem);
                },
                reviews);
    }

    /** With 400, and what is wrong. */
    public static HttpException refusal(MalformedReviewException problem) {
        return new HttpException(problem.problem(), Status.BAD_REQUEST_400, true);
    }

    /** For doors whose contract has them answer anything with a review. */
    public AdmissionRoute whenMalformed(Function<MalformedReviewException, AdmissionReply> answer) {
        return new AdmissionRoute(path, door, answer, reviews);
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.post(path, this::handle).any(path, ErrorReplies.onlyMethods("POST"));
    }

    private void handle(ServerRequest request, ServerResponse response) {
        // What it is shows when it is read: a review that curl sends under another name is one, too.
        var body = request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
        byte[] answer;
        try {
            var asked = AdmissionReviews.decode(body);
            var reply = door.answer(asked, within(request));
            answer = AdmissionReviews.encode(asked, reply);
            reviews.labelValues(path, result(reply)).inc();
        } catch (MalformedReviewException e) {
            reviews.labelValues(path, "malformed").inc();
            answer = AdmissionReviews.encode(e, malformed.apply(e));
        }
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(answer);
    }

    /** Kubernetes writes {@code ?timeout=10s}; whatever is not that is as good as nothing. */
    private static Optional<Duration> within(ServerRequest request) {
        if (!request.query().contains("timeout")) {
            return Optional.empty();
        }
        var seconds = SECONDS.matcher(request.query().get("timeout"));
        return seconds.matches() ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds.group(1)))) : Optional.empty();
    }

    private static String result(AdmissionReply reply) {
        if (!reply.allowed()) {
            return "denied";
        }
        return reply.patch().isEmpty() ? "allowed" : "patched";
    }
}
