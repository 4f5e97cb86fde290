package dev.berth.apiserver.rest;

import dev.berth.apiserver.admission.Admission;
import dev.berth.apiserver.kinds.CustomValidation;
import dev.berth.apiserver.kinds.Decoder;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.Tables;
import dev.berth.apiserver.rules.Rules;
import java.time.InstantSource;
import java.util.function.Supplier;

/** What a verb asks on its way: the rooms around this one. */
record Rooms(
        LiveCatalog catalog,
        Decoder decoder,
        CustomValidation custom,
        Tables tables,
        Repository repository,
        Rules rules,
        Admission admission,
        InstantSource clock,
        Supplier<String> uids) {}
