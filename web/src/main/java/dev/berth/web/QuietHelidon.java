package dev.berth.web;

import io.helidon.common.mapper.DefaultMapperProvider__ServiceDescriptor;
import io.helidon.common.mapper.MappersFactory__ServiceDescriptor;
import io.helidon.service.registry.GlobalServiceRegistry;
import io.helidon.service.registry.ServiceRegistryConfig;
import io.helidon.service.registry.ServiceRegistryManager;

/**
 * Helidon looks through every jar for services to inject, which costs more than the rest of a server's start together.
 * We inject nothing: give it a registry that holds only the mappers behind {@code query().first("limit").asInt()}.
 */
final class QuietHelidon {
    private QuietHelidon() {}

    static void prepare() {
        if (!GlobalServiceRegistry.configured()) {
            GlobalServiceRegistry.registry(ServiceRegistryManager.create(ServiceRegistryConfig.builder()
                            .discoverServices(false)
                            .discoverServicesFromServiceLoader(false)
                            .useBinding(false)
                            .addServiceDescriptor(MappersFactory__ServiceDescriptor.INSTANCE)
                            .addServiceDescriptor(DefaultMapperProvider__ServiceDescriptor.INSTANCE)
                            .build())
                    .registry());
        }
    }
}
