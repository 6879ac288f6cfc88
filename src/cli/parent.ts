// The processes above, where npm has started this one. npm may be ended without passing it on: by SIGHUP or SIGKILL, or
// because the shell between does not. Runs on main.
import { readFileSync } from 'node:fs';

/** Functions of the watch: its look, and the one that it calls. */
export interface AncestryParts {
  /** See `ancestryOf`. */
  readonly ancestry: () => string;
  readonly gone: () => void;
}

/** Calls `gone` once, as soon as a look finds others above than `first`. */
export function watchAncestry(first: string, lookMs: number, { ancestry, gone }: AncestryParts): void {
  const timer = setInterval(() => {
    if (ancestry() === first) return;
    clearInterval(timer);
    gone();
  }, lookMs);
  timer.unref();
}

/**
 * The id of the parent and, where that is a shell which runs this program alone (`sh -c COMMAND`, as npm does it), the id
 * of the process above: others take their place when they end. Where /proc does not tell, the parent alone.
 */
export function ancestryOf(parentId: number): string {
  try {
    const [, option] = readFileSync(`/proc/${parentId}/cmdline`, 'utf8').split('\0');
    if (option !== '-c') return `${parentId}`;
    // Behind the command, which may hold anything, in parentheses: the state and the parent.
    const [, above] = readFileSync(`/proc/${parentId}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return `${parentId} ${above}`;
  } catch {
    return `${parentId}`;
  }
}
