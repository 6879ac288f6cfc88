// The environment of programs that tests start: one estimator, as each one more costs some seconds of CPU time at every
// start; a test that needs more says so by --workers.

/** That of the tests, and one estimator where no flag says otherwise. */
export const ONE_ESTIMATOR: NodeJS.ProcessEnv = { PRESTATE_WORKERS: '1', ...process.env };
