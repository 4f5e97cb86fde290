package dev.berth.claims.dra.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions that are added to the language: how they are called, and what they do. */
final class Functions {
    private final Map<String, List<CelOverloadDecl>> declared = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** {@code name()}. */
    Functions global(String name, CelType result, CelFunctionOverload function) {
        String id = "berth_" + name.replace('.', '_');
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, ImmutableList.of()));
        bindings.add(CelFunctionBinding.from(id, ImmutableList.of(), function));
        return this;
    }

    /** {@code name(argument)}. */
    <A> Functions global(
            String name, CelType result, CelType type, Class<A> argument, CelFunctionOverload.Unary<A> function) {
        String id = id(name, type);
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, ImmutableList.of(type)));
        bindings.add(CelFunctionBinding.from(id, argument, function));
        return this;
    }

    /** {@code name(argument, argument)}. */
    <A, B> Functions global(
            String name,
            CelType result,
            List<CelType> types,
            Class<A> first,
            Class<B> second,
            CelFunctionOverload.Binary<A, B> function) {
        String id = id(name, types.getFirst()) + "_" + plain(types.getLast());
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, ImmutableList.copyOf(types)));
        bindings.add(CelFunctionBinding.from(id, first, second, function));
        return this;
    }

    /** {@code target.name()}. */
    <A> Functions member(
            String name, CelType result, CelType type, Class<A> target, CelFunctionOverload.Unary<A> function) {
        String id = id("member_" + name, type);
        declare(name, CelOverloadDecl.newMemberOverload(id, result, ImmutableList.of(type)));
        bindings.add(CelFunctionBinding.from(id, target, function));
        return this;
    }

    /** {@code target.name(argument)}. */
    <A, B> Functions member(
            String name,
            CelType result,
            List<CelType> types,
            Class<A> target,
            Class<B> argument,
            CelFunctionOverload.Binary<A, B> function) {
        String id = id("member_" + name, types.getFirst()) + "_" + plain(types.getLast());
        declare(name, CelOverloadDecl.newMemberOverload(id, result, ImmutableList.copyOf(types)));
        bindings.add(CelFunctionBinding.from(id, target, argument, function));
        return this;
    }

    private void declare(String name, CelOverloadDecl overload) {
        declared.computeIfAbsent(name, _ -> new ArrayList<>()).add(overload);
    }

    private static String id(String name, CelType type) {
        return "berth_" + name + "_" + plain(type);
    }

    private static String plain(CelType type) {
        return type.name().replaceAll("[^A-Za-z]", "") + type.parameters().size();
    }

    List<CelFunctionDecl> declarations() {
        return declared.entrySet().stream()
                .map(entry -> CelFunctionDecl.newFunctionDeclaration(entry.getKey(), entry.getValue()))
                .toList();
    }

    List<CelFunctionBinding> bindings() {
        return List.copyOf(bindings);
    }
}
