/*
 * Starts the JVM with the options of the command given: what the script `berth` does, for an image without a shell.
 * Linked statically, so that it needs nothing but the kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOME "/opt/berth/"
#define MOST 1024

static char *arguments[MOST];
static int count;

static void add(char *argument) {
    if (count == MOST - 1) {
        fputs("berth: too many arguments\n", stderr);
        exit(64);
    }
    arguments[count++] = argument;
}

/* Adds the words of a text, which it takes apart. */
static void add_words(char *text) {
    for (char *word = strtok(text, " \t\n"); word != NULL; word = strtok(NULL, " \t\n")) add(word);
}

static char *copy_of(const char *text) {
    char *copy = strdup(text);
    if (copy == NULL) abort();
    return copy;
}

static FILE *open_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "berth: %s: %s\n", path, strerror(errno));
        exit(66);
    }
    return file;
}

/* Whether a list with commas has this name; * has every name. */
static int names(const char *list, const char *name) {
    size_t length = strlen(name);
    if (strcmp(list, "*") == 0) return 1;
    for (const char *at = list; length > 0 && (at = strstr(at, name)) != NULL; at += length) {
        int begins = at == list || at[-1] == ',';
        int ends = at[length] == ',' || at[length] == '\0';
        if (begins && ends) return 1;
    }
    return 0;
}

static void add_common_options(void) {
    char line[4096];
    FILE *file = open_file(HOME "berth.flags");
    while (fgets(line, sizeof line, file) != NULL) add_words(copy_of(line));
    fclose(file);
}

static void add_options_of(const char *command) {
    char line[4096];
    FILE *file = open_file(HOME "berth.commands");
    while (fgets(line, sizeof line, file) != NULL) {
        char *rest;
        char *list = strtok_r(line, " \t\n", &rest);
        char *cache = list == NULL || list[0] == '#' ? NULL : strtok_r(NULL, " \t\n", &rest);
        if (cache == NULL || !names(list, command)) continue;
        char option[256];
        snprintf(option, sizeof option, "-XX:AOTCache=" HOME "%s", cache);
        /* The image has no cache for what is not run in a cluster. */
        if (access(strchr(option, '=') + 1, R_OK) == 0) add(copy_of(option));
        add_words(copy_of(rest));
        break;
    }
    fclose(file);
}

int main(int argc, char **argv) {
    add(HOME "jre/bin/java");
    add_common_options();
    add_options_of(argc > 1 ? argv[1] : "");
    const char *more = getenv("BERTH_JAVA_OPTS");
    if (more != NULL) add_words(copy_of(more));
    add("-cp");
    add(HOME "berth.jar");
    add("dev.berth.cli.Berth");
    for (int i = 1; i < argc; i++) add(argv[i]);
    arguments[count] = NULL;
    execv(arguments[0], arguments);
    fprintf(stderr, "berth: %s: %s\n", arguments[0], strerror(errno));
    return 126;
}
