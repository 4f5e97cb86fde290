# The documents' own commands; Maven does the work.
.PHONY: all build test
all: build

build:
	mvn -q -B -DskipTests -pl cli -am package

test:
	mvn -B test
