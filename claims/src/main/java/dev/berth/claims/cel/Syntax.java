package dev.berth.claims.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;

/** The syntax of constraints, for those who write them in other words. */
public final class Syntax {
    private Syntax() {}

    /** @throws InvalidExpressionException for text that is not CEL */
    public static CelExpr parse(String constraints) {
        Expression.of(constraints);
        try {
            return Language.COMPILER.parse(constraints).getAst().getExpr();
        } catch (CelValidationException wrong) {
            throw new InvalidExpressionException(constraints, String.valueOf(wrong.getMessage()), wrong);
        }
    }
}
