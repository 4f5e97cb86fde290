package dev.berth.advisor.model;

import java.util.List;

/**
 * Where a job should go, and why.
 *
 * @param priority from 0 to 100: how much better the choice is than the worst candidate
 * @param avoid the types of running jobs that disturb this one
 * @param explores whether the choice was made to learn more than to gain
 */
public record Advice(String chosen, double priority, List<String> avoid, Terms terms, boolean explores) {
    /**
     * What the choice is made of.
     *
     * @param mu the run time that is expected
     * @param sigma how sure that is
     * @param ig the information that a run would give
     * @param penalty what the neighbours are expected to cost
     * @param cost what was compared: the least won
     */
    public record Terms(double mu, double sigma, double ig, double penalty, double cost) {}
}
