// Why the program cannot start or go on: a one-line message and an exit code.

/** Exit code 2: configuration (flags, files, wrong genesis). Exit code 1: failure (port in use, broken archive). */
export class StartError extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
