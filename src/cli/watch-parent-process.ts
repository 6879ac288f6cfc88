// Notices when the parent process ends, if npm has started this program. npm may end without telling this program: when
// npm is killed by SIGHUP or SIGKILL, or when the shell between npm and this program does not forward signals.
import { readFileSync } from 'node:fs';

/** Calls `gone` once, as soon as a poll finds other parent processes than `first`. */
export function watchParentProcesses(first: string, pollMs: number, gone: () => void): void {
  const timer = setInterval(() => {
    if (parentProcessIds() === first) return;
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
export function parentProcessIds(): string {
  const parentId = process.ppid;
  try {
    const [, option] = readFileSync(`/proc/${parentId}/cmdline`, 'utf8').split('\0');
    if (option !== '-c') return `${parentId}`;
    // In `stat`, the process state and the parent's id come after the command name, which is in parentheses and may
    // contain any text.
    const [, above] = readFileSync(`/proc/${parentId}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return `${parentId} ${above}`;
  } catch {
    return `${parentId}`;
  }
}
