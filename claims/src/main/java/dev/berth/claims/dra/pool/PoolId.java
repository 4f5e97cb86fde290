package dev.berth.claims.dra.pool;

import dev.berth.core.DeviceId;

/** What tells one pool from all others. */
public record PoolId(String driver, String pool) {
    public DeviceId device(String name) {
        return new DeviceId("%s/%s/%s".formatted(driver, pool, name));
    }

    /** The pool of a device; a pool's name may have slashes, a driver's and a device's have none. */
    public static PoolId of(DeviceId device) {
        String id = device.value();
        int first = id.indexOf('/');
        return new PoolId(id.substring(0, first), id.substring(first + 1, id.lastIndexOf('/')));
    }

    @Override
    public String toString() {
        return driver + "/" + pool;
    }
}
