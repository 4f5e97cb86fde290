package dev.berth.bench.load;

import dev.berth.bench.Machine;
import dev.berth.bench.ProcessorTimes;
import dev.berth.bench.door.Starts;
import dev.berth.bench.scale.ScaleCluster;
import dev.berth.bench.scale.Stage;
import dev.berth.bench.subject.Doors;
import dev.berth.bench.subject.Site;
import dev.berth.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Doors at 70 % of what they can do, for a long time: one after the other, or all of them side by side on one API
 * server, where each is asked the same part of what it can do alone, so that the machine is busy for 70 % of its time.
 * Arguments: {@code embedded} or the directory of the real binaries, the launcher, the number of nodes, the minutes,
 * {@code apart} or {@code together}, the doors.
 */
public final class LoadRun {
    private static final double PART = 0.7;
    private static final double TRIAL_SECONDS = 60;

    private final Site site;
    private final double minutes;
    private final List<Course> courses = new ArrayList<>();

    private LoadRun(Site site, double minutes) {
        this.site = site;
        this.minutes = minutes;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(Machine.words());
        var launcher = Path.of(arguments[1]);
        int nodes = Integer.parseInt(arguments[2]);
        var doors = List.of(arguments).subList(5, arguments.length);
        try (var stage = Stage.open(arguments[0], launcher, "")) {
            var cluster = new ScaleCluster(stage.server());
            cluster.begin();
            cluster.grow(nodes);
            System.out.printf("%d nodes, %d pods%n", nodes, cluster.pods());
            boolean together = arguments[4].equals("together");
            int shared = together ? nodes * 3 / 4 : nodes;
            cluster.leaveToPins(shared);
            var site =
                    new Site(stage.server(), stage.kubeconfig(), launcher, stage.folder(), nodes, shared, "load", "");
            var run = new LoadRun(site, Double.parseDouble(arguments[3]));
            if (together) {
                run.measure(doors);
            } else {
                for (var door : doors) run.measure(List.of(door));
            }
            run.print(arguments[4]);
        }
    }

    private void measure(List<String> doors) throws IOException, InterruptedException {
        var subjects = new ArrayList<Subject>();
        try {
            var loaded = new ArrayList<LoadedDoor>();
            for (var door : doors) {
                subjects.add(Doors.named(door).open(site));
                Starts.awaitReady(subjects.getLast().door(), Duration.ofMinutes(2));
                loaded.add(new LoadedDoor(door, subjects.getLast()));
            }
            for (var door : loaded) door.findMost();
            double part = part(loaded);
            var under = atOnce(loaded, door -> door.run(part, minutes));
            for (var course : under) course.tell(minutes);
            courses.addAll(under);
        } finally {
            for (var subject : subjects) subject.close();
        }
    }

    /**
     * What part of what each can do it is asked; of several, so much that together they take that part of the machine.
     */
    private static double part(List<LoadedDoor> doors) throws IOException, InterruptedException {
        if (doors.size() == 1) {
            return PART;
        }
        double trial = PART / (2 * doors.size());
        var before = ProcessorTimes.now();
        atOnce(doors, door -> door.ask(trial, TRIAL_SECONDS));
        double busy = ProcessorTimes.now().since(before);
        System.out.printf(
                "side by side at %.3f of their maxima: the machine is busy for %.2f of its time%n", trial, busy);
        return PART * trial / busy;
    }

    @FunctionalInterface
    private interface Phase<T> {
        T of(LoadedDoor door) throws IOException, InterruptedException;
    }

    private static <T> List<T> atOnce(List<LoadedDoor> doors, Phase<T> phase) throws IOException, InterruptedException {
        try (var threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<T>> running = new ArrayList<>();
            for (var door : doors) running.add(threads.submit(() -> phase.of(door)));
            List<T> results = new ArrayList<>();
            for (var each : running) results.add(each.get());
            return results;
        } catch (ExecutionException e) {
            throw new IOException("the load broke off: " + e.getMessage(), e);
        }
    }

    private void print(String how) throws IOException {
        System.out.printf("%n%.0f minutes at 70 %% of the maximum, the doors %s%n", minutes, how);
        System.out.println(Course.HEAD);
        courses.forEach(course -> System.out.println(course.row()));
        System.out.println(Machine.words());
    }
}
