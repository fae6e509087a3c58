import fc from 'fast-check';

// As many inputs as the fuzzer asks for; each property is quick enough for this many in every run of the tests.
fc.configureGlobal({ numRuns: Number(process.env.GANTRY_FUZZ_RUNS ?? 300) });

export { fc };
