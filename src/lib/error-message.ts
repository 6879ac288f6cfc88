// Texts of errors of any kind.

/** Returns the message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the first line of the message of whatever was thrown. */
export function firstLineOfError(error: unknown): string {
  return errorMessage(error).split('\n', 1)[0]!;
}
