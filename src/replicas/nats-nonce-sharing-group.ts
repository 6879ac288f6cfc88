// A member of the group of replicas and executors that count each other's transactions in `pending` nonces. It reports
// transactions that this instance has submitted to the other members, and knows when all of them count a transaction.

// The sender of a transaction gets a response when every member heard from in the last three seconds counts the
// transaction in `pending` nonces, or after a quarter of a second. See DECISIONS.md.
import { randomUUID } from 'node:crypto';
import { LIMITS } from '../limits/index.js';
import type { Clock } from '../lib/clock.js';
import type { ChainBus, StoppableTask } from './bus/chain-bus.js';
import type {
  NonceSharingGroupListener,
  NonceSharingGroupMember,
  PeerSubmission,
} from '../feed/nonce-sharing-group.js';
import { decodeRecord, recordBytes, type NonceSharingGroupMessage } from './messages/control-messages-json.js';

/** The part of the bus that a nonce-sharing group needs. */
type GroupBus = Pick<ChainBus, 'isConnected' | 'watch' | 'fragmentBytesMax' | 'publishToGroup' | 'listenGroup'>;

/** A reported transaction that some members have not acknowledged yet. */
interface Open {
  readonly missing: Set<string>;
  readonly done: () => void;
}

/**
 * One instance's membership in the group. It does nothing until `start`, and knows no other members while the server
 * is unreachable.
 */
export class NatsNonceSharingMember implements NonceSharingGroupMember {
  readonly #bus: GroupBus;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #member: string;
  /** The names of the other members, and when each was last heard from. */
  readonly #members = new Map<string, number>();
  readonly #open = new Map<number, Open>();
  readonly #running: StoppableTask[] = [];
  #isListening = false;
  #sent = 0;

  constructor(bus: GroupBus, clock: Pick<Clock, 'now'>, member: string = randomUUID()) {
    this.#bus = bus;
    this.#clock = clock;
    this.#member = member;
  }

  start(listener: NonceSharingGroupListener): void {
    const join = (isConnected: boolean): void => {
      if (!isConnected) return;
      if (!this.#isListening)
        this.#running.push(this.#bus.listenGroup(this.#member, (bytes) => this.#receive(bytes, listener)));
      this.#isListening = true;
      this.#say({ kind: 'alive', member: this.#member }, null);
    };
    this.#running.push(this.#bus.watch(join));
    const timer = setInterval(() => join(this.#bus.isConnected), LIMITS.groupAliveMs);
    this.#running.push({ stop: () => clearInterval(timer) });
    join(this.#bus.isConnected);
  }

  /** Leaves the group, and ends all waits for acknowledgements. */
  stop(): void {
    for (const running of this.#running) running.stop();
    for (const { done } of this.#open.values()) done();
  }

  async report(send: PeerSubmission, to: string | null): Promise<void> {
    this.#forgetSilent();
    const id = this.#sent++;
    const missing = new Set(to === null ? this.#members.keys() : [to]);
    const bytes = recordBytes('group', { kind: 'send', member: this.#member, id, send });
    if (missing.size === 0 || !this.#bus.isConnected || bytes.length > this.#bus.fragmentBytesMax) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve();
      };
      const timer = setTimeout(done, LIMITS.groupAnswerMsMax);
      this.#open.set(id, { missing, done });
      this.#bus.publishToGroup(bytes, to);
    });
  }

  acknowledge(member: string, id: number): void {
    this.#say({ kind: 'counted', member: this.#member, id }, member);
  }

  #say(message: NonceSharingGroupMessage, to: string | null): void {
    this.#bus.publishToGroup(recordBytes('group', message), to);
  }

  #receive(bytes: Uint8Array, { onSend, onMember }: NonceSharingGroupListener): void {
    const message = decodeRecord('group', bytes);
    if (message === null || message.member === this.#member) return;
    const { member } = message;
    const isNew = !this.#members.has(member);
    this.#members.set(member, this.#clock.now());
    if (isNew) {
      this.#say({ kind: 'alive', member: this.#member }, member);
      onMember(member);
    }
    if (message.kind === 'send') onSend(message.send, member, message.id);
    if (message.kind === 'counted') this.#counted(member, message.id);
  }

  #counted(member: string, id: number): void {
    const open = this.#open.get(id);
    open?.missing.delete(member);
    if (open?.missing.size === 0) open.done();
  }

  #forgetSilent(): void {
    const now = this.#clock.now();
    for (const [member, heardAtMs] of this.#members)
      if (now - heardAtMs >= LIMITS.groupSilenceMsMax) this.#members.delete(member);
  }
}
