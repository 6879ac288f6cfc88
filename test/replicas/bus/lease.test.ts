// A lease whose replies are lost or late: whether its holder has it always agrees with the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusUnavailableError } from '../../../src/replicas/bus/chain-bus.js';
import { Lease } from '../../../src/replicas/bus/lease.js';

const now = (): number => 0;

test('a renewal whose reply was lost is found later, and nobody else has the lease', async () => {
  const bus = new LeaseServer();
  const lease = new Lease(bus, 'one', now);
  assert.equal(await lease.tend(), 'held');
  bus.losesAnswers = true;
  assert.equal(await lease.tend(), 'unknown');
  bus.losesAnswers = false;
  assert.equal(await lease.tend(), 'held');
  assert.deepEqual(bus.entry, { holder: 'one', revision: 3 });
});

test('a lease that was acquired is found later if the reply was lost', async () => {
  const bus = new LeaseServer();
  const lease = new Lease(bus, 'one', now);
  bus.losesAnswers = true;
  assert.equal(await lease.tend(), 'unknown');
  assert.equal(lease.isOurs, false);
  bus.losesAnswers = false;
  assert.equal(await lease.tend(), 'held');
});

test('a lease held by another executor is left alone', async () => {
  const bus = new LeaseServer();
  const [one, other] = [new Lease(bus, 'one', now), new Lease(bus, 'other', now)];
  assert.deepEqual([await one.tend(), await other.tend()], ['held', 'other']);
  bus.entry = { holder: 'other', revision: 9 };
  assert.equal(await one.tend(), 'other');
  assert.equal(one.isOurs, false);
});

test('a lease released during its renewal is free', async () => {
  const bus = new LeaseServer();
  const lease = new Lease(bus, 'one', now);
  await lease.tend();
  const tending = lease.tend();
  await lease.release();
  assert.equal(await tending, 'held');
  assert.equal(lease.isOurs, false);
  assert.equal(bus.entry, null);
  assert.equal(await new Lease(bus, 'other', now).tend(), 'held');
});

test('an executor that has released its lease does not acquire it again', async () => {
  const bus = new LeaseServer();
  const lease = new Lease(bus, 'one', now);
  await lease.tend();
  await lease.release();
  assert.equal(await lease.tend(), 'other');
  assert.equal(bus.entry, null);
});

/** The lease on the server's side. */
class LeaseServer {
  entry: { readonly holder: string; readonly revision: number } | null = null;
  /** Requests are processed but not answered. */
  losesAnswers = false;
  #revision = 0;

  async takeLease(holder: string): Promise<number | null> {
    return this.#answer(this.entry === null ? this.#write(holder) : null);
  }

  async renewLease(holder: string, revision: number): Promise<number | null> {
    return this.#answer(this.entry?.revision === revision ? this.#write(holder) : null);
  }

  async readLease(): Promise<{ readonly holder: string; readonly revision: number } | null> {
    return this.#answer(this.entry);
  }

  async releaseLease(revision: number): Promise<void> {
    if (this.entry?.revision === revision) this.entry = null;
    await this.#answer(null);
  }

  #write(holder: string): number {
    this.entry = { holder, revision: ++this.#revision };
    return this.#revision;
  }

  async #answer<T>(answer: T): Promise<T> {
    await Promise.resolve();
    if (this.losesAnswers) throw new BusUnavailableError('timeout');
    return answer;
  }
}
