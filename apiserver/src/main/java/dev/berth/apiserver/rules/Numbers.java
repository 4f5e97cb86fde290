package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** Which JSON numbers Go's number types take. */
final class Numbers {
    private Numbers() {}

    static boolean fits(JsonNode value, String goType) {
        if (!value.isNumber()) return false;
        return switch (goType) {
            case "int32", "v1.AzureDataDiskCachingMode" -> value.isIntegralNumber() && value.canConvertToInt();
            case "uint16" -> value.isIntegralNumber() && value.asLong() >= 0 && value.asLong() <= 65535;
            case "float64", "float32" -> true;
            default -> value.isIntegralNumber() && value.canConvertToLong();
        };
    }
}
