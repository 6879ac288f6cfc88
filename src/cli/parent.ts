// Watches the parent processes if npm has started this one: npm may end without passing that on, by SIGHUP or SIGKILL,
// or because the shell in between does not forward signals.
import { readFileSync } from 'node:fs';

/** How the watch polls, and its callback. */
export interface AncestryDeps {
  /** Returns what `ancestryOf` does. */
  readonly ancestry: () => string;
  readonly gone: () => void;
}

/** Calls `gone` once, as soon as a poll finds another ancestry than `first`. */
export function watchAncestry(first: string, pollMs: number, { ancestry, gone }: AncestryDeps): void {
  const timer = setInterval(() => {
    if (ancestry() === first) return;
    clearInterval(timer);
    gone();
  }, pollMs);
  timer.unref();
}

/**
 * The parent's process id and, if that is a shell that only runs this program (`sh -c COMMAND`, as npm starts it), its
 * parent's id as well: when a process ends, its children are adopted by another one. Without /proc, only the parent's
 * id.
 */
export function ancestryOf(parentId: number): string {
  try {
    const [, option] = readFileSync(`/proc/${parentId}/cmdline`, 'utf8').split('\0');
    if (option !== '-c') return `${parentId}`;
    // The state and the parent's id come after the command in parentheses, which may contain anything.
    const [, above] = readFileSync(`/proc/${parentId}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return `${parentId} ${above}`;
  } catch {
    return `${parentId}`;
  }
}
