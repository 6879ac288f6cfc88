// The environment of programs that tests start: one estimator and no warm-up, which both cost seconds of CPU time at
// startup. A test that needs them passes --workers or --warm-up-calls.

/** The environment of the test process, with one estimator and no warm-up unless it sets these itself. */
export const ONE_ESTIMATOR: NodeJS.ProcessEnv = { PRESTATE_WORKERS: '1', PRESTATE_WARM_UP_CALLS: '0', ...process.env };
