package dev.berth.kube;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.retry.Backoff;
import dev.berth.kube.retry.Repeat;
import dev.berth.kube.retry.Retry;
import dev.berth.kube.retry.Throttle;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.random.RandomGenerator;

/** An open connection to one API server, and the way its requests are tried again. */
public final class Cluster implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    private static final int CONCURRENT_REQUESTS = 512;

    private final Config config;
    private final KubernetesSerialization serialization;
    private final ObjectMapper watched;
    private final ClientOnDemand client;
    private final Courier courier;
    private final Retry retry;
    private final InstantSource clock;

    private Cluster(
            Config config,
            KubernetesSerialization serialization,
            ObjectMapper watched,
            ClientOnDemand client,
            Courier courier,
            Retry retry,
            InstantSource clock) {
        this.config = config;
        this.serialization = serialization;
        this.watched = watched;
        this.client = client;
        this.courier = courier;
        this.retry = retry;
        this.clock = clock;
    }

    public static Cluster connect(ConnectionSettings settings) {
        return connect(settings.resolve());
    }

    private static Cluster connect(Config config) {
        tune(config);
        // Not a clock that can be set: who was told to come back in a second would come back in an hour.
        var throttle = new Throttle(() -> Instant.EPOCH.plusNanos(System.nanoTime()));
        var clock = new ServerClock(InstantSource.system(), System::nanoTime);
        var json = mapper();
        // The default looks for all kinds on the class path: 1,500 classes that nobody asked for.
        var serialization = new KubernetesSerialization(json, false);
        var client = new ClientOnDemand(() -> new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization)
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("berth-listening", new Listening(throttle, clock)))
                .build());
        var retry = new Retry(Backoff.STANDARD, RandomGenerator.getDefault(), throttle, Thread::sleep);
        var courier = Courier.of(config, client, json, throttle, clock::heard, CONNECT_TIMEOUT, REQUEST_TIMEOUT);
        return new Cluster(config, serialization, Unread.without(json), client, courier, retry, clock);
    }

    /** For what is done by people, or once in a while: a door that goes without it has some 800 classes fewer. */
    public KubernetesClient client() {
        return client.get();
    }

    /** For what doors do, and for watches. */
    public Courier courier() {
        return courier;
    }

    public Retry retry() {
        return retry;
    }

    /** The API server's time, for whatever is written down for other replicas and other doors to read. */
    public InstantSource clock() {
        return clock;
    }

    /** Objects from and to text. */
    public KubernetesSerialization serialization() {
        return serialization;
    }

    /** Reads objects for caches and lists: without what no door looks at. */
    public ObjectMapper watched() {
        return watched;
    }

    /** Where the API server is. */
    public String address() {
        return config.getMasterUrl();
    }

    /** The namespace that we are in, or that whoever started us works in. */
    public String namespace() {
        return Objects.requireNonNullElse(config.getNamespace(), "default");
    }

    /** Leaves out what nobody here looks at and what is half of a pod. */
    static ObjectMapper mapper() {
        return new ObjectMapper().addMixIn(ObjectMeta.class, Unmanaged.class);
    }

    @JsonIgnoreProperties(value = "managedFields", allowGetters = true)
    private interface Unmanaged {}

    private static void tune(Config config) {
        config.setUserAgent("berth/" + version());
        config.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
        config.setRequestTimeout((int) REQUEST_TIMEOUT.toMillis());
        config.setUploadRequestTimeout((int) REQUEST_TIMEOUT.toMillis());
        config.setMaxConcurrentRequests(CONCURRENT_REQUESTS);
        config.setMaxConcurrentRequestsPerHost(CONCURRENT_REQUESTS);
        // fabric8 repeats every request that failed with 5xx, bindings included; here callers say what may be repeated.
        config.setRequestRetryBackoffLimit(0);
        config.setWatchReconnectInterval((int) LONGEST_RECONNECT.toMillis());
        config.setWatchReconnectLimit(-1);
        config.setOnlyHttpWatches(true);
        // Over plain http Java would ask for an upgrade on the first request, and HTTP/2 gains nothing on loopback.
        config.setHttp2Disable(config.getMasterUrl().startsWith("http://"));
    }

    static String version() {
        var properties = new Properties();
        try (var in = Cluster.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version", "unknown");
    }

    /** Whether the API server serves such a kind; a server that cannot be asked is an exception, not a no. */
    public boolean serves(String apiVersion, String plural, Duration within) {
        var path = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
        return retry.call(Repeat.IF_UNKNOWN, within, () -> courier.get(path, APIResourceList.class)).stream()
                .flatMap(kinds -> kinds.getResources().stream())
                .anyMatch(kind -> kind.getName().equals(plural));
    }

    @Override
    public void close() {
        courier.close();
        client.close();
    }

    /** Hears the {@code Retry-After} and the {@code Date} of answers, which fabric8 tells nobody. */
    private record Listening(Throttle throttle, ServerClock clock) implements Interceptor {
        /**
         * The head of a watch may come long after it was written: with its first event, or when a proxy lets go of it.
         */
        private static boolean watches(URI uri) {
            return String.valueOf(uri.getQuery()).contains("watch=true");
        }

        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            if (!watches(request.uri())) {
                response.headers("Date").forEach(clock::heard);
            }
            if (response.code() == 429 || response.code() == 503) {
                for (var value : response.headers("Retry-After")) {
                    throttle.heard(value);
                }
            }
        }
    }
}
