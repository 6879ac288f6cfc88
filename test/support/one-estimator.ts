// The environment of programs that tests start: one estimator, because every further one costs seconds of CPU time at
// startup. A test that needs more passes --workers.

/** The environment of the test process, with one estimator unless it sets PRESTATE_WORKERS itself. */
export const ONE_ESTIMATOR: NodeJS.ProcessEnv = { PRESTATE_WORKERS: '1', ...process.env };
