/** What the advisor sees of a cluster: its types of GPU, the jobs that run, the priority classes. */
@NullMarked
package dev.berth.advisor.cluster;

import org.jspecify.annotations.NullMarked;
