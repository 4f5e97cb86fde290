# Not tried here: where Berth is developed no image registry can be reached, so nobody has seen this build. The image that is built and
# tested is the one of `mvn -Pimage package` (docs/image.md), which needs no registry. This is for people who would rather have a base image
# that their registry scans. It runs the same launcher as a checkout does.
#
#   docker build -t berth:0.1.0 .
FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /opt/berth
COPY . .
RUN mvn -B -ntp -Dquick -DskipTests -pl cli -am package

FROM eclipse-temurin:25-jre
# The AOT caches work only with the Java that made them, so they are made again with the one that is here.
COPY --from=build /opt/berth/berth /opt/berth/berth
COPY --from=build /opt/berth/cli/target/berth.jar /opt/berth/cli/target/berth.flags /opt/berth/cli/target/berth.commands /opt/berth/cli/target/
COPY --from=build /opt/berth/cli/target/lib /opt/berth/cli/target/lib
RUN cd /opt/berth/cli/target \
 && for training in 'berth-short.aot --short' 'berth-lean.aot --doors=assigner,pinner,scheduler' 'berth.aot' 'berth-apiserver.aot --apiserver' 'berth-up.aot --up'; do \
      set -- $training; cache=$1; shift; \
      java @berth.flags -XX:AOTCacheOutput=/opt/berth/cli/target/$cache -cp /opt/berth/cli/target/berth.jar dev.berth.cli.Berth train "$@"; \
    done \
 && ln -s /opt/berth/berth /usr/local/bin/berth
LABEL org.opencontainers.image.title="Berth" \
      org.opencontainers.image.description="GPU placement for Kubernetes" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV BERTH_NO_BUILD=1 BERTH_JAVA_HOME=/opt/java/openjdk HOME=/tmp
WORKDIR /tmp
USER 65532:65532
ENTRYPOINT ["/opt/berth/berth"]
