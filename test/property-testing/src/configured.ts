import fc from 'fast-check';

// The fuzzer sets the number of inputs; the default is fast enough for every test run.
fc.configureGlobal({ numRuns: Number(process.env.GANTRY_FUZZ_RUNS ?? 300) });

export { fc };
