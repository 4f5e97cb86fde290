package dev.berth.assigner.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevicePageTest {
    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            {'node':'n1','labels':[]} | - | available
            {'node':'n1','labels':[],'assignment':{'exists?':false,'namespace':'default','uid':null,'state':'proposal'}} | default/ | pending
            {'node':'n1','labels':[],'assignment':{'exists?':true,'namespace':'default','uid':'u','name':'p','state':'active'}} | default/p | assigned
            {'node':'n1','labels':[],'assignment':{'exists?':false,'namespace':'default','uid':'u','state':'active'}} | default/u | expired
            """)
    void whoHoldsADeviceAndHow(String entry, String assignment, String status) {
        var row = DeviceRow.of("GPU-1", json(entry));

        assertThat(row.assignment()).isEqualTo(assignment);
        assertThat(row.status()).isEqualTo(status);
    }

    @Test
    void labelsAreShownWithoutTheirPrefixOneToALine() {
        var page = new DevicePage(
                () -> json(
                        "{'GPU-1':{'node':'n1','labels':['fudo.org/gpu.vram.80g','fudo.org/gpu.a100','other']},'GPU-2':{'node':'n1','labels':[]}}"));

        assertThat(page.html())
                .contains("<title>GPU Device Assignment</title>")
                .contains("data-column=\"Labels\">gpu.a100\ngpu.vram.80g\nother</td>")
                .contains("data-column=\"Labels\">-</td>");
    }

    @Test
    void withoutDevicesThereIsOneRowThatSaysSo() {
        assertThat(new DevicePage(() -> json("{}")).html()).containsOnlyOnce("No devices discovered.");
    }

    @Test
    void whatComesFromTheClusterIsTextAndNotMarkup() {
        var page = new DevicePage(() -> json("{'<script>':{'node':'\\\" onclick=','labels':['<b>']}}"));

        assertThat(page.html())
                .doesNotContain("<script>\"", "<script></th>", "<b></td>", "\" onclick=")
                .contains("&lt;script&gt;");
    }

    @Test
    void theBrowserMayLoadNothingFromElsewhere() throws Exception {
        var page = new DevicePage(() -> json("{}"));
        try (var server = HttpServer.start(
                        List.of(new Listener("ui", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, page::addTo)));
                var client = HttpClient.newHttpClient()) {
            for (var path : List.of("/", "/page.css", "/page.js", "/page.svg")) {
                var response = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("ui") + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

                assertThat(response.statusCode()).as(path).isEqualTo(200);
                assertThat(response.headers().firstValue("Content-Security-Policy"))
                        .as(path)
                        .hasValueSatisfying(policy -> assertThat(policy)
                                .startsWith("default-src 'none';")
                                .doesNotContain("unsafe", "http"));
                assertThat(response.body().replace("http://www.w3.org/2000/svg", ""))
                        .as(path)
                        .doesNotContain("http:", "https:", "@import");
            }
        }
    }
}
