// Hands waiting jobs to workers. Runs on main.
//
// The last worker takes no dear jobs, and what it takes has little time there (LIMITS.trialMs): a job that needs more comes
// back, is dear from then on and runs in full elsewhere. So cheap jobs find a worker within that time, whatever the others
// do; it is the first to get them, and the others are there for the rest. While short jobs come, it takes those alone of what is
// known, as long as longer ones find another worker: a short job then waits for no longer one. A pool of one worker does all.
import { LIMITS } from '../../limits.js';
import type { Admission } from './admission.js';
import type { PoolBounds } from './bounds.js';
import { NO_LIMIT_MS } from './codec/handed.js';
import type { ClientShares } from './client-shares.js';
import type { PoolCounts } from './counts.js';
import type { JobQueue, Room, Taken } from './job-queue.js';
import type { JobsInFlight } from './jobs-in-flight.js';
import type { ShadowChecks } from './shadow-checks.js';
import type { TaskWatch } from './task-watch.js';
import type { WorkerHandle } from './worker-handle.js';

/** What the dispatcher connects. */
export interface DispatcherParts {
  readonly queue: JobQueue;
  readonly shares: ClientShares;
  readonly handles: readonly WorkerHandle[];
  readonly admission: Admission;
  readonly jobs: JobsInFlight;
  readonly counts: PoolCounts;
  readonly watch: TaskWatch;
  readonly checks: ShadowChecks | null;
  /** Milliseconds of the pool's clock. */
  readonly nowMs: () => number;
}

/** Jobs that are worth waking a worker for: they keep it busy until the next ones come. */
const JOBS_A_TRIP = 8;

/** Decides when jobs go to workers, how many, and which worker gets them. */
export class Dispatcher {
  readonly #bounds: PoolBounds;
  readonly #parts: DispatcherParts;
  readonly #places: readonly number[];
  readonly #placesDown: readonly number[];
  #turn: NodeJS.Immediate | null = null;
  #isClosed = false;

  constructor(bounds: PoolBounds, parts: DispatcherParts) {
    this.#bounds = bounds;
    this.#parts = parts;
    this.#places = Array.from(parts.handles.keys());
    this.#placesDown = this.#places.toReversed();
  }

  /** Whether jobs are dispatched at the end of this turn of the event loop anyway. */
  get isDue(): boolean {
    return this.#turn !== null;
  }

  /** Notes that a job has joined the queue: it is handed over now, or at the end of the turn. */
  added(): void {
    if (this.#isWorthATrip()) this.dispatch();
    this.dispatchLater();
  }

  /** Dispatches at the end of the turn of the event loop, so that the jobs of all its requests go together. */
  dispatchLater(): void {
    this.#turn ??= setImmediate(() => this.#endTurn());
  }

  /** Sends waiting jobs to workers with room. */
  dispatch(): void {
    if (this.#isClosed) return;
    const { queue, admission, watch, checks, nowMs } = this.#parts;
    queue.letBulky();
    if (queue.length > 0) this.#supplyAll(nowMs());
    if (queue.length > 0) watch.start();
    else if (admission.isOpen) checks?.startOne();
  }

  /** Hands out nothing more, and ends the watch. */
  close(): void {
    this.#isClosed = true;
    this.#parts.watch.stop();
    if (this.#turn !== null) clearImmediate(this.#turn);
  }

  #endTurn(): void {
    this.#turn = null;
    this.dispatch();
  }

  /**
   * Whether a worker should have the jobs before the turn of the event loop ends: a group of them; or the first one while few
   * are in flight, as more come along otherwise and waking a worker costs some 5 us.
   */
  #isWorthATrip(): boolean {
    const { queue, handles, jobs } = this.#parts;
    if (queue.ready >= JOBS_A_TRIP) return handles.some(({ room }) => room >= JOBS_A_TRIP);
    return queue.ready === 1 && jobs.count <= JOBS_A_TRIP && handles.some(({ isIdle }) => isIdle);
  }

  #supplyAll(nowMs: number): void {
    const { queue, admission } = this.#parts;
    admission.refuseLate(nowMs);
    const keepsLast = this.#doShortOnesCome(nowMs);
    for (const place of this.#placesInTurn()) if (queue.ready > 0) this.#supply(place, keepsLast, nowMs);
  }

  /** Workers that have nothing to do go before those that may have more; while cheap jobs wait, the last one first. */
  #placesInTurn(): number[] {
    const { handles, queue } = this.#parts;
    const places = queue.count('cheap') > 0 ? this.#placesDown : this.#places;
    const isIdle = (place: number): boolean => handles[place]!.isIdle;
    return [...places.filter(isIdle), ...places.filter((place) => !isIdle(place))];
  }

  /** Whether further short jobs are likely to come: longer ones leave the last worker to them. */
  #doShortOnesCome(nowMs: number): boolean {
    const { queue, shares } = this.#parts;
    const keptMs = shares.isOneAlone(nowMs) ? LIMITS.keptForOwnMs : LIMITS.keptForOthersMs;
    return nowMs - queue.lastShortMs <= keptMs;
  }

  /** A worker with a longer job gets nothing behind it while short ones wait. */
  #supply(place: number, keepsLast: boolean, nowMs: number): void {
    const { queue, handles, jobs: inFlight } = this.#parts;
    const handle = handles[place]!;
    if (handle.task.hasLonger && queue.hasShort) return;
    const isLast = place === handles.length - 1;
    const room = this.#roomOf(handle, isLast && keepsLast, nowMs);
    const { jobs, costClass } = queue.take(room, !isLast || place === 0, nowMs);
    if (jobs.length === 0) return;
    const isTrial = isLast && costClass !== 'dear' && (place > 0 || inFlight.count > jobs.length);
    for (const job of jobs) job.limitMs = isTrial ? LIMITS.trialMs : NO_LIMIT_MS;
    this.#hand(handle, { jobs, costClass }, nowMs);
  }

  /**
   * Each worker takes its share of the queue, so that none idles beside a full task. One that is kept for short jobs takes others
   * where all other workers are held: by dear ones, say.
   */
  #roomOf(handle: WorkerHandle, isKept: boolean, nowMs: number): Room {
    const { queue, handles } = this.#parts;
    const share = Math.ceil(queue.ready / handles.length);
    return {
      jobs: Math.min(share, handle.room, this.#bounds.jobsPerTaskMax),
      ms: handle.roomMs,
      onlyShort: isKept && handles.some((other) => other !== handle && !other.isHeld(nowMs)),
    };
  }

  #hand(handle: WorkerHandle, { jobs, costClass }: Taken, nowMs: number): void {
    const { counts, watch } = this.#parts;
    if (!handle.hand(jobs, costClass === 'dear', nowMs)) return;
    watch.start();
    counts.tasks += 1;
    counts.taskJobs += jobs.length;
  }
}
