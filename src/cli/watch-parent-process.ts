// Notices when a parent process ends, if npm has started this program. npm may end without forwarding that: when it is
// killed by SIGHUP or SIGKILL, or when the shell in between does not forward signals.
import { readFileSync } from 'node:fs';

/** How the parents are polled, and what is called when they change. */
interface WatchParentProcessesDeps {
  /** Returns the result of `parentProcessIds`. */
  readonly ancestry: () => string;
  readonly gone: () => void;
}

/** Calls `gone` once, as soon as a poll finds an ancestry other than `first`. */
export function watchParentProcesses(
  first: string,
  pollMs: number,
  { ancestry, gone }: WatchParentProcessesDeps,
): void {
  const timer = setInterval(() => {
    if (ancestry() === first) return;
    clearInterval(timer);
    gone();
  }, pollMs);
  timer.unref();
}

/**
 * Identifies the parent processes: the parent's id, and if the parent is a shell that only runs this program (`sh -c
 * COMMAND`, as npm starts it), also the id of its parent. When one of them ends, its children get another parent, and
 * the result changes. Without /proc only the parent's id is known.
 */
export function parentProcessIds(parentId: number): string {
  try {
    const [, option] = readFileSync(`/proc/${parentId}/cmdline`, 'utf8').split('\0');
    if (option !== '-c') return `${parentId}`;
    // The process state and the parent's id come after the command, which is in parentheses and may contain anything.
    const [, above] = readFileSync(`/proc/${parentId}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return `${parentId} ${above}`;
  } catch {
    return `${parentId}`;
  }
}
