// Delivers the messages of subscription topics to their subscribers. A message is encoded once for all subscribers of a
// topic.
import { randomBytes } from 'node:crypto';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import type { Subscriber } from '../answer/request-response-types.js';
import { isEventGap, type ChainEvent, type ChainEvents, type NumberedEvent } from './chain-events.js';
import type { PushCloseReason, PushCounts, TopicCounts } from './push-counts.js';

/**
 * What a subscription subscribes to. Topics with the same key share their messages. A key starts with the topic's name.
 */
export interface SubscriptionTopic {
  readonly key: string;
  /**
   * True if a message is useless when earlier ones are missing: subscribers are disconnected if there is a gap in the
   * events.
   */
  readonly endsWithState: boolean;
  /** Returns the topic's messages for an event, as JSON. */
  texts(event: ChainEvent): readonly string[];
  /** Starts a summary of events that a slow subscriber has skipped; `null` if the topic does not allow skipping. */
  readonly summary: (() => SkippedEventsSummary) | null;
  /**
   * Only for topics whose messages are not made from chain events: starts making messages when the first subscriber
   * comes.
   */
  readonly begin?: (send: (text: string) => void) => TopicMessageSource;
  readonly watchedCalls?: number;
}

/** Creates a topic whose messages are not made from chain events. */
export function topicWithOwnMessages(
  key: string,
  begin: NonNullable<SubscriptionTopic['begin']>,
  watchedCalls = 0,
): SubscriptionTopic {
  return { key, endsWithState: false, texts: () => [], summary: null, begin, watchedCalls };
}

/** A summary of the events that a slow subscriber has skipped. */
export interface SkippedEventsSummary {
  add(event: ChainEvent): void;
  texts(): readonly string[];
}

/** The messages of a topic that makes them itself, not from chain events (see `SubscriptionTopic.begin`). */
export interface TopicMessageSource {
  /** Number of messages so far. */
  readonly messageCount: number;
  /**
   * Returns one message with the topic's current content, for a subscriber that missed messages; `null` before the
   * first message.
   */
  whole(): string | null;
  /** Called when the topic's last subscriber has left. */
  end(): void;
}

interface Member {
  /**
   * Sequence number of the last event that the subscriber has received or does not need. For a topic without numbered
   * events: number of messages that it has received.
   */
  serial: number;
  /** Number of messages skipped since the event with number `serial`. */
  skipped: number;
  /** True while the subscriber catches up on events that it has missed, separately from the other subscribers. */
  isLate: boolean;
  /** Continues the delivery to this subscriber when its connection can send again. */
  wake: (() => void) | null;
}

/** A subscription topic with all its subscribers, who have the same subscription id. */
interface Group {
  readonly id: string;
  readonly topic: SubscriptionTopic;
  readonly members: Map<Subscriber, Member>;
  readonly counts: TopicCounts;
  updates: TopicMessageSource | null;
}

/** Texts that are sent to the client when its connection is closed. */
const FAREWELLS: Readonly<Record<PushCloseReason, string>> = {
  slow: 'messages are not read',
  reset: 'the state was begun anew: something may be missing',
};

const UTF8 = new TextEncoder();
const ID_BYTES = 16;
/** Sequence number of a new subscriber that has not received the topic's current content yet. */
const UNGREETED = Infinity;

/** All subscriptions of all connections. */
export class AllSubscriptions {
  readonly #events: ChainEvents;
  readonly #slices: TimeSlicer;
  readonly #groups = new Map<string, Group>();
  /** For each connection, the groups to which it belongs, by subscription id. */
  readonly #bySubscriber = new Map<Subscriber, Map<string, Group>>();
  readonly #queue: (() => void | Promise<void>)[] = [];
  readonly #counts: PushCounts;
  #isDelivering = false;
  #count = 0;

  constructor(events: ChainEvents, slices: TimeSlicer, counts: PushCounts) {
    this.#events = events;
    this.#slices = slices;
    this.#counts = counts;
    events.listen((event) => {
      if (this.#count > 0) this.#enqueue(() => this.#sendToAll(event));
    });
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Opens a subscription and returns its id. `from`: sequence number of the event after which it starts; if `null`, it
   * starts after the newest event.
   */
  open(subscriber: Subscriber, topic: SubscriptionTopic, from: number | null): string | RpcError {
    const own = this.#bySubscriber.get(subscriber) ?? new Map<string, Group>();
    if (own.size >= LIMITS.subscriptionsPerSocketMax || this.#count >= LIMITS.subscriptionsMax)
      return rpcError('overload', 'too many subscriptions');
    let watchedCalls = topic.watchedCalls ?? 0;
    for (const group of own.values()) watchedCalls += group.topic.watchedCalls ?? 0;
    if (watchedCalls > LIMITS.watchedCallsPerSocketMax)
      return rpcError('overload', `too many watched calls (max ${LIMITS.watchedCallsPerSocketMax})`);
    if (from !== null && mayHaveMissedEvents(topic, from, this.#events)) return rpcError('notKept');
    const group = this.#groupFor(subscriber, topic);
    const isSpoken = group.updates !== null;
    const serial = isSpoken ? UNGREETED : (from ?? this.#events.serial);
    const member: Member = { serial, skipped: 0, isLate: false, wake: null };
    group.members.set(subscriber, member);
    own.set(group.id, group);
    this.#bySubscriber.set(subscriber, own);
    this.#count++;
    group.counts.open++;
    if (isSpoken) this.#enqueue(() => this.#greet(group, subscriber, member));
    else if (from !== null) this.#resume(group, subscriber, member);
    return group.id;
  }

  /** Ends one subscription. Returns false if the connection has no subscription with this id. */
  close(subscriber: Subscriber, id: string): boolean {
    const own = this.#bySubscriber.get(subscriber);
    const group = own?.get(id);
    if (own === undefined || group === undefined) return false;
    own.delete(id);
    if (own.size === 0) this.#bySubscriber.delete(subscriber);
    group.members.delete(subscriber);
    if (group.members.size === 0) {
      this.#groups.delete(group.topic.key);
      group.updates?.end();
    }
    this.#count--;
    group.counts.open--;
    return true;
  }

  /** Ends all subscriptions of a closed connection. */
  closeAll(subscriber: Subscriber): void {
    for (const id of this.#bySubscriber.get(subscriber)?.keys() ?? []) this.close(subscriber, id);
  }

  /**
   * Must be called when a connection can send again. Its subscriptions get a summary of the events that they have
   * skipped.
   */
  drained(subscriber: Subscriber): void {
    for (const group of this.#bySubscriber.get(subscriber)?.values() ?? []) {
      const member = group.members.get(subscriber)!;
      if (member.isLate) {
        member.wake?.();
        member.wake = null;
      } else if (member.skipped > 0) this.#catchUp(group, subscriber, member);
    }
  }

  /**
   * Returns the group that a new subscriber of a topic joins. A second subscription of one connection to the same topic
   * gets a group and an id of its own.
   */
  #groupFor(subscriber: Subscriber, topic: SubscriptionTopic): Group {
    for (let copy = 0; ; copy++) {
      const key = copy === 0 ? topic.key : `${topic.key} ${copy}`;
      const known = this.#groups.get(key);
      if (known !== undefined && known.members.has(subscriber)) continue;
      if (known !== undefined) return known;
      const group: Group = {
        id: newSubscriptionId(),
        topic: { ...topic, key },
        members: new Map<Subscriber, Member>(),
        counts: this.#counts.of(key),
        updates: null,
      };
      this.#groups.set(key, group);
      group.updates = topic.begin?.((text) => this.#onMessage(group, text)) ?? null;
      return group;
    }
  }

  #onMessage(group: Group, text: string): void {
    const serial = group.updates!.messageCount;
    this.#enqueue(() => this.#sendToMembers(group, serial, [messageOf(group.id, text, 0)]));
  }

  /** Sends the topic's current content to a new subscriber, unless it has left, or has left and come back. */
  #greet(group: Group, subscriber: Subscriber, member: Member): void {
    if (group.members.get(subscriber) === member) this.#sendWhole(group, subscriber, member);
  }

  #sendWhole(group: Group, subscriber: Subscriber, member: Member): void {
    const { updates, id, counts } = group;
    const [whole, skipped] = [updates!.whole(), member.skipped];
    member.serial = updates!.messageCount;
    member.skipped = 0;
    if (whole === null) return;
    // If the connection cannot send now, this message is queued, and later messages are queued after it.
    subscriber.push(messageOf(id, whole, skipped), true);
    counts.pushed++;
  }

  #enqueue(delivery: () => void | Promise<void>): void {
    this.#queue.push(delivery);
    if (!this.#isDelivering) void this.#deliver();
  }

  /** Delivers one event after the other, so that messages are in order on every connection. */
  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    // The response to a new subscription is sent first, because it contains the subscription id.
    await Promise.resolve();
    for (let delivery = this.#queue.shift(); delivery !== undefined; delivery = this.#queue.shift()) await delivery();
    this.#isDelivering = false;
  }

  async #sendToAll(event: NumberedEvent): Promise<void> {
    for (const group of this.#groups.values()) {
      if (this.#slices.isOver()) await this.#slices.turn();
      await this.#sendTo(group, event);
    }
  }

  async #sendTo(group: Group, { serial, event }: NumberedEvent): Promise<void> {
    if (group.topic.endsWithState && isEventGap(event))
      for (const subscriber of group.members.keys()) this.#drop(subscriber, 'reset');
    const messages = group.topic.texts(event).map((text) => messageOf(group.id, text, 0));
    if (messages.length > 0) await this.#sendToMembers(group, serial, messages);
  }

  async #sendToMembers(group: Group, serial: number, messages: readonly Uint8Array[]): Promise<void> {
    for (const [subscriber, member] of group.members) {
      if (member.isLate || member.serial >= serial) continue;
      if (this.#slices.isOver()) await this.#slices.turn();
      if (group.members.get(subscriber) === member && !member.isLate)
        this.#send(group, subscriber, member, serial, messages);
    }
  }

  #send(group: Group, subscriber: Subscriber, member: Member, serial: number, messages: readonly Uint8Array[]): void {
    for (const message of messages) {
      if (member.skipped === 0 && subscriber.push(message)) {
        group.counts.pushed++;
        continue;
      }
      if (group.topic.summary === null && group.updates === null) return this.#drop(subscriber, 'slow');
      member.skipped++;
      group.counts.skipped++;
      return;
    }
    member.serial = serial;
  }

  #catchUp(group: Group, subscriber: Subscriber, member: Member): void {
    if (group.updates !== null) return this.#sendWhole(group, subscriber, member);
    const summary = group.topic.summary!();
    const take = ({ event }: NumberedEvent): boolean => {
      summary.add(event);
      return true;
    };
    void this.#makeUp(group, subscriber, member, take, () => {
      const { skipped } = member;
      member.skipped = 0;
      const texts = summary.texts();
      // If the connection cannot send now, these messages are queued, and later messages are queued after them.
      for (const text of texts) subscriber.push(messageOf(group.id, text, skipped), true);
      group.counts.pushed += texts.length;
    });
  }

  /** Closes a connection that cannot receive all messages. Its subscriptions end at once. */
  #drop(subscriber: Subscriber, reason: PushCloseReason): void {
    this.#counts.closed[reason]++;
    this.closeAll(subscriber);
    subscriber.drop(FAREWELLS[reason]);
  }

  #resume(group: Group, subscriber: Subscriber, member: Member): void {
    this.#counts.resumed++;
    member.isLate = true;
    const take = ({ event }: NumberedEvent): boolean => this.#repeat(group, subscriber, event);
    // The response with the subscription id is sent first.
    void Promise.resolve().then(() => this.#makeUp(group, subscriber, member, take, () => undefined));
  }

  /** Sends the messages of a past event. Returns false if the connection cannot send now. */
  #repeat(group: Group, subscriber: Subscriber, event: ChainEvent): boolean {
    const messages = group.topic.texts(event).map((text) => messageOf(group.id, text, 0));
    const isAccepted = messages.every((message, at) => subscriber.push(message, at > 0));
    if (isAccepted) group.counts.pushed += messages.length;
    return isAccepted;
  }

  /**
   * Passes every event that a subscriber has missed to `take`, within time slices of the main thread in which clients
   * take turns. Meanwhile the subscriber receives no other events; afterwards it receives new events like all others.
   * If `take` refuses an event, the event is passed again when the connection can send; by then it may no longer be
   * retained.
   */
  async #makeUp(
    group: Group,
    subscriber: Subscriber,
    member: Member,
    take: (event: NumberedEvent) => boolean,
    done: () => void,
  ): Promise<void> {
    member.isLate = true;
    for (let hasStarted = false; ; hasStarted = true) {
      if (this.#slices.isOver()) await this.#slices.turn(subscriber.client, hasStarted);
      if (group.members.get(subscriber) !== member) return;
      const next = this.#events.after(member.serial);
      if (next === null) break;
      if (mayHaveMissedEvents(group.topic, member.serial, this.#events)) return this.#drop(subscriber, 'reset');
      if (next === 'gone') return this.#drop(subscriber, 'slow');
      if (take(next)) member.serial = next.serial;
      else await new Promise<void>((resolve) => (member.wake = resolve));
    }
    member.isLate = false;
    done();
  }
}

/**
 * Creates the id of a subscription or filter: a quantity, as web3j expects, without leading zeros, as in go-ethereum.
 */
export function newSubscriptionId(): string {
  return toQuantity(BigInt(toHex(randomBytes(ID_BYTES))));
}

/** True if events may be missing after sequence number `serial`, and the topic does not allow that. */
export function mayHaveMissedEvents(
  { endsWithState }: SubscriptionTopic,
  serial: number,
  events: Pick<ChainEvents, 'gapSerial'>,
): boolean {
  return endsWithState && events.gapSerial > serial;
}

/** Encodes a message in go-ethereum's form. `skipped` is the number of state versions that were skipped before it. */
function messageOf(id: string, result: string, skipped: number): Uint8Array {
  const left = skipped === 0 ? '' : `,"skipped":${skipped}`;
  return UTF8.encode(
    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}${left}}}`,
  );
}
