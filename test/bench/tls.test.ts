// The suite against an https target with an untrusted certificate.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GeneratorHost, Generators } from '../../bench/suite/generator-host.js';
import type { Transport } from '../../bench/load/connection.js';
import type { LoadJob } from '../../bench/load/job.js';
import type { Run } from '../../bench/scenarios/scenario.js';
import { measureRow } from '../../bench/suite/row.js';
import { standing } from '../../bench/suite/stage.js';
import { targetAt, trustAnyCertificate } from '../../bench/suite/target.js';
import type { World } from '../../bench/suite/world.js';
import { loopbackCertificate } from '../support/certificate.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { scenario } from './fixtures/scenario.js';
import { type FaultyTarget, honest, startTarget } from './fixtures/target.js';

const MODULE = new URL('./fixtures/scenario.js', import.meta.url).href;
const ACCOUNTS = 1000;
const world: World = {
  name: 'test',
  blocks: ['latest'],
  follows: false,
  isStill: true,
  hot: [],
  slots: [],
  accounts: ACCOUNTS,
  senders: [],
  calls: [],
  expensive: '',
};

describe('an https target', () => {
  const certificate = loopbackCertificate();
  const { NODE_TLS_REJECT_UNAUTHORIZED: rejects, NODE_EXTRA_CA_CERTS: authorities } = process.env;
  let served: FaultyTarget;

  before(async () => {
    trustAnyCertificate();
    served = await startTarget('secure', honest, certificate);
    restore();
  });
  after(async () => {
    restore();
    await served.stop();
  });

  function restore(): void {
    set('NODE_TLS_REJECT_UNAUTHORIZED', rejects);
    set('NODE_EXTRA_CA_CERTS', authorities);
  }

  /** A closed loop of a few connections, by a generator in the current environment. */
  async function succeeded(transport: Transport = 'http'): Promise<number> {
    const generator = new GeneratorHost();
    try {
      await generator.prepare({ ...jobFor(served.target.url), transport });
      return (await generator.run()).succeeded;
    } finally {
      await generator.stop();
    }
  }

  test('is refused if its certificate cannot be verified', async () => {
    await assert.rejects(targetAt('untrusted', served.target.url), /does not answer.*self-signed certificate/);
    await assert.rejects(succeeded(), /self-signed certificate/);
  });

  test('is measured if its certificate is signed by the CA that is passed in', async () => {
    process.env['NODE_EXTRA_CA_CERTS'] = temporaryFile('ca.pem', certificate.cert);
    assert.ok((await succeeded()) > 0);
    restore();
  });

  test('accepts WebSockets with the same certificate', async () => {
    await assert.rejects(succeeded('websocket'), /self-signed certificate/);
    process.env['NODE_EXTRA_CA_CERTS'] = temporaryFile('ca.pem', certificate.cert);
    assert.ok((await succeeded('websocket')) > 0);
    restore();
  });

  test('is measured like any other if certificates are not verified', async () => {
    trustAnyCertificate();
    const parts = new Generators();
    const stage = standing({ world, targets: [served.target], feed: null, stop: () => Promise.resolve() });
    const options = { seconds: 0.2, warmUpSeconds: 0.05, warmUpsMax: 1, rounds: 1, seed: 1, beside: null, pace: null };
    const run: Run = { name: 'closed loop', part: '', load: { kind: 'closed', connections: 2 } };
    const { signal } = new AbortController();
    const plan = { listed: { scenario, module: MODULE }, run, stage, options, parts, signal, onLive: null };
    const { sides, differences } = await measureRow(plan);
    await parts.stop();
    restore();
    assert.equal(sides[0]!.void, null);
    assert.deepEqual([differences, sides[0]!.figures!.errors], [[], {}]);
    assert.ok(sides[0]!.figures!.succeeded > 0);
  });
});

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function jobFor(url: string): LoadJob {
  const watched = { seconds: 0.05, sampleEvery: 10, isLive: false };
  const shape = { connections: 2, pipelined: 1, transport: 'http', pace: { kind: 'closed' } } as const;
  return { kind: 'load', module: MODULE, world, part: '', seed: 1, url, headers: {}, ...shape, ...watched };
}
