// The error of a program that cannot start or continue: a one-line message and an exit code.

/**
 * Thrown if the program cannot start. Exit code 2 is for the configuration (flags, files, genesis), 1 for failures
 * (port in use, damaged archive).
 */
export class StartError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
