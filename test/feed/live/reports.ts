// Subscriptions to a live rig, without HTTP: what the main thread makes of the publisher's messages.
import { TimeSlicer } from '../../../src/fairness/time-slicer.js';
import type { MessageFromPublisher } from '../../../src/publisher/publisher-protocol.js';
import { PushCounts } from '../../../src/rpc/push/push-counts.js';
import { PublisherEventRouter } from '../../../src/rpc/push/publisher-event-router.js';
import { AllSubscriptions, type SubscriptionTopic } from '../../../src/rpc/push/topic-delivery.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import { Reader } from '../../rpc/push/rig.js';
import { RULES } from './chain-maker.js';
import type { LiveRig } from './live-rig.js';

/** A client's subscription, across all of its connections. */
export interface Subscription {
  readonly topic: SubscriptionTopic;
  readonly results: unknown[];
  /** `null` while it is disconnected. */
  reader: Reader | null;
}

export class Reports {
  readonly #news = new PublisherEventRouter();
  readonly executed = new ExecutedBlockLookup(RULES.chain, this.#news.pending);
  readonly #subscriptions = new AllSubscriptions(this.#news.events, new TimeSlicer(Infinity), new PushCounts());
  readonly #rig: LiveRig;
  #read = 0;

  constructor(rig: LiveRig) {
    this.#rig = rig;
    this.#news.begin({ source: { kind: 'live', recent: this.#news.recent }, executed: this.executed }, null);
    this.#take();
  }

  /** Version of the newest event. */
  get version(): number {
    return this.#news.events.versionOf(this.#rig.newest.version);
  }

  subscribe(topic: SubscriptionTopic): Subscription {
    const subscription: Subscription = { topic, results: [], reader: null };
    this.resume(subscription, null);
    return subscription;
  }

  /** Reconnects; what happened after `version` is sent first. */
  resume(subscription: Subscription, version: number | null): void {
    const reader = new Reader();
    const from = version === null ? null : this.#news.events.serialAt(version);
    const id = this.#subscriptions.open(reader, subscription.topic, from);
    if (typeof id !== 'string') throw new Error(`${subscription.topic.key}: ${id.error}`);
    subscription.reader = reader;
  }

  disconnect(subscription: Subscription): void {
    const reader = subscription.reader!;
    this.#subscriptions.closeAll(reader);
    subscription.results.push(...reader.results.map(({ result }) => result));
    subscription.reader = null;
  }

  /** Number of messages that were sent to the client. */
  count({ results, reader }: Subscription): number {
    this.#take();
    return results.length + (reader?.results.length ?? 0);
  }

  /** Everything that was sent to the client. */
  sent({ results, reader }: Subscription): readonly unknown[] {
    this.#take();
    return [...results, ...(reader?.results ?? []).map(({ result }) => result)];
  }

  /** Passes on the messages that have arrived since. */
  #take(): void {
    for (const message of this.#rig.messages.slice(this.#read)) this.#receive(message);
    this.#read = this.#rig.messages.length;
  }

  #receive(message: MessageFromPublisher): void {
    if (message.kind === 'table' && !message.continues) this.#news.restarted(message.startsAt);
    if (message.kind === 'changed') this.#news.changed(message);
    if (message.kind === 'published') this.#news.published(message);
    if (message.kind === 'completed') this.#news.completed(message);
  }
}
