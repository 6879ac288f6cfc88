// The NATS adapter with a real server: ordered storage, leases, logins by password and by credentials, TLS.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { BusUnavailableError } from '../../../src/replicas/bus/chain-bus.js';
import { Lease } from '../../../src/replicas/bus/lease.js';
import { connectNats, type NatsBus } from '../../../src/replicas/bus/nats-bus.js';
import { StartError } from '../../../src/lib/start-error.js';
import { accounts, certificate, NO_OPENSSL } from '../../support/nats-logins.js';
import { NatsServer, NO_NATS } from '../../support/nats-server.js';
import { eventually, until } from '../../support/patience.js';
import { temporaryFile } from '../../support/temporary-folder.js';

const PASSWORD = 'open-sesame-7';

describe('the NATS adapter', { skip: NO_NATS }, () => {
  let server: NatsServer;
  let nats: NatsBus;
  const address = (login: string): string => server.url.replace('nats://', `nats://${login}`);

  before(async () => {
    server = await NatsServer.start('--user', 'prestate', '--pass', PASSWORD);
    nats = await connectNats({ url: address(`prestate:${PASSWORD}@`), credsFile: null, caFile: null }, ignored);
  });
  after(async () => {
    await nats.close();
    await server.kill();
  });

  test('a message is stored once, and only after the sequence that its writer has seen last', async () => {
    const bus = nats.of(7n);
    assert.equal(await bus.ends(), null);
    await bus.prepare();
    await bus.prepare();
    const bytes = Buffer.from('one');
    const first = { epoch: 1, bytes, id: '1', after: 0 };
    assert.deepEqual(await bus.store(first), { kind: 'stored', sequence: 1 });
    assert.deepEqual(await bus.store(first), { kind: 'stored', sequence: 1 });
    assert.deepEqual(await bus.store({ ...first, id: '2' }), { kind: 'outOfOrder' });
    assert.deepEqual(await bus.store({ ...first, epoch: 2, id: '3', after: 1 }), { kind: 'stored', sequence: 2 });
    assert.deepEqual(await bus.ends(), { first: 1, last: 2 });
    assert.deepEqual(await nats.chains(), [7n]);
    const huge = await bus.store({ ...first, bytes: Buffer.alloc(2 * 1024 * 1024), id: '4', after: 2 });
    assert.equal(huge.kind, 'unavailable');
  });

  test('one of two executors has the lease until it expires or is released', async () => {
    const bus = nats.of(8n);
    await bus.prepare();
    let nowMs = 0;
    const [one, other] = [new Lease(bus, 'one', () => nowMs), new Lease(bus, 'other', () => nowMs)];
    assert.deepEqual([await one.tend(), await other.tend(), await one.tend()], ['held', 'other', 'held']);
    assert.deepEqual([one.isOurs, other.isOurs], [true, false]);
    assert.equal((await bus.readLease())?.holder, 'one');
    // By its own clock the lease expires before the server grants it to another one.
    nowMs += LIMITS.replicationLeaseMs - LIMITS.replicationRenewMs;
    assert.equal(one.isOurs, false);
    await one.release();
    assert.equal(await bus.readLease(), null);
    assert.deepEqual([await other.tend(), await one.tend()], ['held', 'other']);
  });

  test('records and objects are stored until they are replaced', async () => {
    const bus = nats.of(9n);
    await bus.prepare();
    assert.equal(await bus.readRecord('chain'), null);
    await bus.writeRecord('chain', 'text');
    assert.equal(await bus.readRecord('chain'), 'text');
    await bus.putObject('first', pieces());
    await bus.putObject('second', pieces());
    let length = 0;
    for await (const piece of (await bus.getObject('first'))!) length += piece.length;
    assert.equal(length, 1_000_000);
    await bus.keepObjects(['second']);
    assert.equal(await bus.getObject('first'), null);
    assert.notEqual(await bus.getObject('second'), null);
  });

  test('a refused login is reported in one line without secrets', async () => {
    await refused(address(''));
    await refused(address('prestate:wrong-secret@'));
    await refused(address('wrong-secret-token@'));
    await refused(address(`prestate:${PASSWORD}@`), { credsFile: temporaryFile('none') });
    await refused(address(''), { credsFile: temporaryFile('creds', 'no credentials wrong-secret') });
    await refused(address(`prestate:${PASSWORD}@`), { caFile: temporaryFile('ca.pem', 'no certificate') });
  });

  test('a tls:// address is not used without TLS', async () => {
    await refused(address(`prestate:${PASSWORD}@`).replace('nats:', 'tls:'), {}, /tls/);
  });

  test('a request without a responder fails at once', async () => {
    const message = 'nobody answers';
    await assert.rejects(nats.of(10n).request(Buffer.from('?'), 1000), { name: BusUnavailableError.name, message });
  });

  test('a server that is down is reported in one line without secrets, and used once it is up', async () => {
    await server.kill();
    const lines: string[] = [];
    const options = { credsFile: null, caFile: null };
    const [right, wrong] = await Promise.all(
      [`prestate:${PASSWORD}@`, 'prestate:wrong-secret@'].map((login) =>
        connectNats({ ...options, url: address(login) }, (line) => lines.push(line)),
      ),
    );
    const away = `waiting for the NATS server at ${address('***@')}: connection refused`;
    assert.deepEqual(lines, [away, away]);
    const [bus, refusing] = [right!.of(11n), wrong!.of(11n)];
    const notConnected = { name: BusUnavailableError.name, message: 'not connected' };
    for (const requested of [right!.chains(), bus.prepare(), bus.ends(), bus.readRecord('chain')])
      await assert.rejects(requested, notConnected);
    assert.equal(bus.isConnected, false);
    const changes: boolean[] = [];
    bus.watch((isConnected) => changes.push(isConnected));
    await server.start();
    await until(() => bus.isConnected, 'it is reached');
    assert.deepEqual(changes, [true]);
    await bus.prepare();
    assert.equal((await bus.store({ epoch: 1, bytes: Buffer.from('one'), id: '1', after: 0 })).kind, 'stored');
    const refusal = await eventually(
      () =>
        refusing.prepare().then(never, (error: Error) => (error instanceof BusUnavailableError ? undefined : error)),
      'the login is refused',
    );
    assert.ok(refusal instanceof StartError);
    assert.match(refusal.message, /^the NATS server cannot be used: .*authorization/i);
    await assert.rejects(wrong!.chains(), StartError);
    await Promise.all([right!.close(), wrong!.close()]);
    assert.equal(bus.isConnected, false);
  });
});

describe('the NATS adapter with TLS and accounts', { skip: NO_NATS || NO_OPENSSL }, () => {
  const { configuration, credentials } = accounts();
  const credsFile = temporaryFile('user.creds', credentials);
  let server: NatsServer;
  let caFile: string;
  const url = (): string => server.url.replace('nats://', 'tls://');

  before(async () => {
    const { certFile, keyFile } = certificate('server');
    caFile = certFile;
    const file = temporaryFile('server.conf', configuration);
    server = await NatsServer.start('-c', file, '--tls', '--tlscert', certFile, '--tlskey', keyFile);
  });
  after(() => server.kill());

  test('a client with credentials and the CA is let in, whether the address says tls or not', async () => {
    for (const [at, address] of [url(), server.url].entries()) {
      const nats = await connectNats({ url: address, credsFile, caFile }, ignored);
      const bus = nats.of(BigInt(20 + at));
      await bus.prepare();
      const message = { epoch: 1, bytes: Buffer.from('one'), id: '1', after: 0 };
      assert.deepEqual(await bus.store(message), { kind: 'stored', sequence: 1 });
      await nats.close();
    }
  });

  test('a server with another CA is refused, with that as the error', async () => {
    const { certFile: otherCa } = certificate('other');
    await refused(url(), { credsFile, caFile: otherCa }, /certificate/);
    // The system's certificate authorities.
    await refused(url(), { credsFile }, /certificate/);
  });

  test('a client without credentials, or with those of another operator, is refused', async () => {
    await refused(url(), { caFile }, /authorization/i);
    const other = temporaryFile('other.creds', accounts().credentials);
    await refused(url(), { caFile, credsFile: other }, /authorization/i);
  });
});

describe('the NATS adapter with TLS and a password', { skip: NO_NATS || NO_OPENSSL }, () => {
  test('a client with password and CA is let in', async () => {
    const { certFile, keyFile } = certificate('server');
    const login = ['--user', 'prestate', '--pass', PASSWORD];
    const server = await NatsServer.start(...login, '--tls', '--tlscert', certFile, '--tlskey', keyFile);
    const address = (password: string): string => server.url.replace('nats://', `tls://prestate:${password}@`);
    const nats = await connectNats({ url: address(PASSWORD), credsFile: null, caFile: certFile }, ignored);
    await nats.of(1n).prepare();
    await nats.close();
    await refused(address('wrong-secret'), { caFile: certFile }, /authorization/i);
    await server.kill();
  });
});

async function* pieces(): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < 20; at++) yield await Promise.resolve(Buffer.alloc(50_000, at));
}

type Files = { readonly credsFile?: string; readonly caFile?: string };

function refused(url: string, files: Files = {}, why = /./): Promise<void> {
  return assert.rejects(connectNats({ url, credsFile: null, caFile: null, ...files }, ignored), (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, why);
    assert.doesNotMatch(error.message, /wrong-secret|open-sesame|127\.0\.0\.1/);
    return true;
  });
}

function never(): never {
  throw new Error('what is refused is done');
}

/** Does nothing. */
function ignored(): void {}
