// Random calls traced by two programs on one genesis: frames, logs, diffs and steps are anvil's, but for what is taken away here from
// both, each with its reason. go-ethereum itself has judged the rest, by hand: it says what we do.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Server } from '../support/server.js';
import { askAll, type Answer } from './conversation.js';
import { CHAIN_ID, GAS_LIMIT, genesisText } from './genesis.js';
import { inAnvil, traceParamsOf } from './habits.js';
import { Peer } from './peer.js';
import { request, type Request } from './requests.js';
import type { Frame } from './trace.js';

const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_126);
const REQUESTS = 750;
/** Of those some cannot begin, which both say. */
const TRACED_MIN = 500;

void describe('anvil traces', () => {
  let folder: string;
  let ours: Server;
  let anvil: Peer;
  const requests = fc.sample(request, { seed: SEED, numRuns: REQUESTS });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prestate-anvil-traces-'));
    const file = join(folder, 'genesis.json');
    writeFileSync(file, genesisText());
    ours = await Server.start('--genesis', file, '--gas-cap', `${GAS_LIMIT}`, '--workers', '1');
    anvil = await Peer.start(file, CHAIN_ID, GAS_LIMIT);
  });

  after(async () => {
    await Promise.all([ours?.stop(), anvil?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Both answers to each request that is traced by both, in a form in which they have to be the same. */
  async function compare(
    config: object,
    form: (value: unknown, asked: Request, other: unknown) => unknown,
  ): Promise<void> {
    const ask = (url: string): Promise<Answer[]> =>
      askAll(
        url,
        requests.map((asked) => ({
          method: 'debug_traceCall',
          params: traceParamsOf(inAnvil('eth_call', asked), config),
        })),
      );
    const [own, theirs] = await Promise.all([ask(ours.url), ask(anvil.url)]);
    let traced = 0;
    for (const [i, asked] of requests.entries()) {
      const [a, b] = [own[i]!, theirs[i]!];
      // anvil traces what pays less than the base fee.
      if (a.kind === 'value') assert.equal(b.kind, 'value', JSON.stringify([asked, b]));
      if (a.kind !== 'value' || b.kind !== 'value') continue;
      const what = `seed ${SEED}, request ${i}: ${JSON.stringify(asked)}`;
      assert.deepEqual(form(a.value, asked, b.value), form(b.value, asked, a.value), what);
      traced++;
    }
    assert.ok(traced >= TRACED_MIN, `${traced} are traced by both`);
  }

  void test('callTracer', () =>
    compare({ tracer: 'callTracer', tracerConfig: { withLog: true } }, (value, asked) =>
      frameForm(value as Frame, asked, null),
    ));

  void test('prestateTracer', () =>
    compare({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, (value, asked) =>
      diffForm(value as Record<'pre' | 'post', Accounts>, asked),
    ));

  void test('the struct logger', () =>
    compare({}, (value, _asked, other) => stepsForm(value as Steps, other as Steps)));
});

type Account = Readonly<Record<string, unknown>>;
type Accounts = Readonly<Record<string, Account>>;

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly error?: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack: readonly string[];
}

interface Steps {
  readonly failed: boolean;
  readonly structLogs: readonly Step[];
}

const REVERTED = 'execution reverted';

/** `outer`: the frame around; `null`: there is none. */
function frameForm(frame: Frame, asked: Request, outer: Frame | null): unknown {
  const { type, from, to, input, output, value, error, gas, gasUsed, calls = [], logs = [] } = frame;
  // anvil tells neither who is destroyed nor who inherits.
  if (type === 'SELFDESTRUCT') return type;
  // Texts of what halts are revm's; it keeps the logs of what has failed.
  const end = error === undefined ? [output, logs] : error === REVERTED ? [output, error] : ['halted'];
  // Of the outermost frame anvil tells the gas that its code has; for each authority that is not there it pays back gas as well.
  const used = asked.call.authorizationList === undefined ? gasUsed : null;
  const inner = calls.map((call) => frameForm(call, asked, frame));
  return [type, from, to, input, value, ...end, outer === null ? used : [gas, gasUsed], inner];
}

/** anvil has no hashes of code, and no accounts that are empty; what authorities pay is as it is with frames. */
function diffForm({ pre, post }: Record<'pre' | 'post', Accounts>, asked: Request): unknown {
  const isPaid = asked.call.authorizationList === undefined;
  const shown = (accounts: Accounts): unknown =>
    Object.entries(accounts).flatMap(([address, { codeHash: _hash, ...account }]) => {
      const { balance, ...rest } = account;
      const kept = isPaid ? account : rest;
      const isEmpty = Object.keys(rest).length === 0 && (balance === undefined || balance === '0x0' || !isPaid);
      return isEmpty ? [] : [[address, kept]];
    });
  return { pre: shown(pre), post: shown(post) };
}

/** anvil steps once for a frame without code, and has what a creation hands on in its price; steps that fail, and when that is told, are named and priced in its own way. */
function stepsForm(own: Steps, other: Steps): unknown {
  const [steps, others] = [stepsOf(own), stepsOf(other)];
  const shown = steps.map(({ pc, op, gas, gasCost, depth, stack, error }, at) => {
    const differs = error !== undefined || others[at]?.error !== undefined || op.startsWith('CREATE');
    return [pc, gas, depth, stack, differs ? null : gasCost];
  });
  return [own.failed, shown];
}

function stepsOf({ structLogs }: Steps): Step[] {
  return structLogs.filter(({ pc, op }) => pc !== 0 || op !== 'STOP');
}
