// The process that has started this one. npm, when it is ended, leaves behind what it has started where a shell lies between
// them, and whatever is killed tells nobody. Runs on main.

export interface ParentParts {
  /** The id of the parent now: another process takes its place when it ends. */
  readonly parentId: () => number;
  readonly gone: () => void;
}

/** Calls `gone` once, as soon as a look finds another parent than `parentId`, which was the first one. */
export function watchParent(parentId: number, lookMs: number, parts: ParentParts): void {
  const timer = setInterval(() => {
    if (parts.parentId() === parentId) return;
    clearInterval(timer);
    parts.gone();
  }, lookMs);
  timer.unref();
}
