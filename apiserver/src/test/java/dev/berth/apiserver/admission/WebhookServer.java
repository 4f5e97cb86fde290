package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A real HTTPS server on loopback with a throw-away CA, that answers reviews as a test tells it to. */
final class WebhookServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a path answers: a review's response, or anything else as text with a code. */
    record Raw(int code, String contentType, String body) {}

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Raw> raw = new ConcurrentHashMap<>();
    private final Map<String, UnaryOperator<ObjectNode>> replies = new ConcurrentHashMap<>();
    final List<ObjectNode> reviews = new CopyOnWriteArrayList<>();
    final List<InetSocketAddress> peers = new CopyOnWriteArrayList<>();
    final String caBundle;

    WebhookServer() throws GeneralSecurityException, IOException, OperatorCreationException {
        KeyPair caKeys = keys();
        X509Certificate ca = certificate("CN=throw-away", caKeys, "CN=throw-away", caKeys, true);
        KeyPair keys = keys();
        X509Certificate leaf = certificate("CN=hook", keys, "CN=throw-away", caKeys, false);
        caBundle = Base64.getEncoder()
                .encodeToString(("-----BEGIN CERTIFICATE-----\n"
                                + Base64.getMimeEncoder().encodeToString(ca.getEncoded())
                                + "\n-----END CERTIFICATE-----\n")
                        .getBytes(StandardCharsets.US_ASCII));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("hook", keys.getPrivate(), new char[0], new Certificate[] {leaf, ca});
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            peers.add(exchange.getRemoteAddress());
            ObjectNode review =
                    (ObjectNode) JSON.readTree(exchange.getRequestBody().readAllBytes());
            reviews.add(review);
            Raw answer = raw.getOrDefault(path, new Raw(200, "application/json", reply(path, review)));
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.code(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    private String reply(String path, ObjectNode review) {
        ObjectNode reply = JSON.createObjectNode();
        reply.put("apiVersion", review.path("apiVersion").asText()).put("kind", "AdmissionReview");
        ObjectNode response = reply.putObject("response");
        response.put("uid", review.path("request").path("uid").asText()).put("allowed", true);
        return replies.getOrDefault(path, UnaryOperator.identity()).apply(reply).toString();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** The last review's path is in {@link #reviews}; this sets what the path answers. */
    void answers(String path, UnaryOperator<ObjectNode> change) {
        replies.put(path, reply -> {
            reply.set("response", change.apply((ObjectNode) reply.path("response")));
            return reply;
        });
    }

    void answers(String path, Raw answer) {
        raw.put(path, answer);
    }

    void patches(String path, String patch) {
        answers(
                path,
                response -> response.put("patchType", "JSONPatch")
                        .put("patch", Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8))));
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    private static X509Certificate certificate(
            String subject, KeyPair keys, String issuer, KeyPair issuerKeys, boolean ca)
            throws CertIOException, GeneralSecurityException, OperatorCreationException {
        Instant now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                new X500Name(issuer),
                BigInteger.valueOf(now.toEpochMilli() + (ca ? 0 : 1)),
                Date.from(now.minusSeconds(60)),
                Date.from(now.plusSeconds(3600)),
                new X500Name(subject),
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
        if (!ca) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                new GeneralName(GeneralName.dNSName, "hook.team.svc")
            }));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate())));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
