// The environment of programs that tests start: each estimator more costs some seconds of processor time at every start, so a test
// that needs more than one says so by --workers.

/** That of the tests, and one estimator where no flag says otherwise. */
export const ONE_ESTIMATOR: NodeJS.ProcessEnv = { PRESTATE_WORKERS: '1', ...process.env };
