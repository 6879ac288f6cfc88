// Steps that also pay state gas (EIP-8037): a step's cost is its execution gas only, and one that cannot pay its state
// gas fails where go-ethereum detects it. The numbers follow go-ethereum's gas functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { assemble } from '../../support/assembler.js';
import { AUTHORITY, signedDelegation } from '../../support/authorization.js';
import { job, runOn, type CallText } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const TARGET = '0xc000000000000000000000000000000000000001';
/** Intrinsic gas of a transaction without call data: a receiver, no value. */
const INTRINSIC = 15_000n;
const ACCOUNT = 183_600n;
const STEPS: TracerSpec = {
  name: 'structLogger',
  enableMemory: false,
  disableStack: true,
  disableStorage: true,
  enableReturnData: false,
  limit: 0,
};
const STATE: TracerSpec = {
  name: 'prestateTracer',
  diffMode: false,
  disableCode: true,
  disableStorage: false,
  includeEmpty: true,
};

interface Step {
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly error?: string;
  readonly refund?: number;
}

type Accounts = Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;

async function traced<T>(code: string, tracer: TracerSpec, call: CallText, fork = 'amsterdam'): Promise<T> {
  const view = new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(TARGET, { nonce: 1n, balance: 5n, code: assemble(code) })
    .put(AUTHORITY, { balance: 1n });
  const requested = job({ from: SENDER, to: TARGET, ...call }, { kind: 'trace', trace: { of: 'call', tracer } });
  const outcome = await runOn(fork, requested, view);
  assert.ok(outcome.kind === 'json', JSON.stringify(outcome));
  return JSON.parse(String(outcome.text)) as T;
}

async function steps(code: string, gas: bigint): Promise<readonly Step[]> {
  return (await traced<{ structLogs: Step[] }>(code, STEPS, { gas })).structLogs;
}

/** Cost and error of the last step, which must be this instruction. */
async function last(op: string, code: string, gas: bigint): Promise<readonly [number, string | undefined]> {
  const step = (await steps(code, INTRINSIC + gas)).at(-1)!;
  assert.equal(step.op, op);
  return [step.gasCost, step.error];
}

const CREATE = 'PUSH 0; PUSH 0; PUSH 0; CREATE';
/** Init code of two words, all zero. */
const CREATE2_LONG = 'PUSH 0; PUSH 33; PUSH 0; PUSH 0; CREATE2';
const PUSHES = 3n * 3n;

void test('the cost of a creation step is its execution gas; state gas is paid in addition', async () => {
  const [create, next] = (await steps(`${CREATE}; POP`, 1_000_000n)).slice(3) as [Step, Step];
  assert.deepEqual([create.op, create.gasCost, create.error], ['CREATE', 12_000, undefined]);
  assert.equal(BigInt(create.gas - next.gas), 12_000n + ACCOUNT);
  const long = (await steps(`${CREATE2_LONG}; POP`, 1_000_000n)).find(({ op }) => op === 'CREATE2')!;
  assert.equal(long.gasCost, 12_000 + 2 * (2 + 6) + 6);
});

void test('steps that fail for lack of state gas have an error', async () => {
  assert.deepEqual(await last('CREATE', CREATE, PUSHES + 12_000n + ACCOUNT - 1n), [12_000, 'out of gas']);
  const store = 'PUSH 1; PUSH 7; SSTORE';
  assert.deepEqual(await last('SSTORE', store, 6n + 12_100n + 97_919n), [12_100, 'out of gas']);
  const call = 'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH 0xee; PUSH 0; CALL';
  assert.deepEqual(await last('CALL', call, 60_000n), [100, 'out of gas']);
  assert.deepEqual(await last('SELFDESTRUCT', 'PUSH 0xee; SELFDESTRUCT', 60_000n), [17_000, 'out of gas']);
});

void test('accounts and slots of a step that fails for lack of state gas are not in the prestate', async () => {
  const fails = { gas: INTRINSIC + 60_000n };
  const stored = await traced<Accounts>('PUSH 1; PUSH 7; SSTORE', STATE, fails);
  assert.equal(stored[TARGET]!.storage, undefined);
  const read = await traced<Accounts>('PUSH 0; PUSH 7; SSTORE', STATE, fails);
  assert.equal(Object.keys(read[TARGET]!.storage!).length, 1);
  const heir = `0x${'ee'.padStart(40, '0')}`;
  assert.ok(!(heir in (await traced<Accounts>('PUSH 0xee; SELFDESTRUCT', STATE, fails))));
  const paid = { gas: INTRINSIC + 300_000n };
  assert.ok(heir in (await traced<Accounts>('PUSH 0xee; SELFDESTRUCT', STATE, paid)));
  // A creation is a step that was paid for and has named its contract.
  const count = async (gas: bigint): Promise<number> =>
    Object.keys(await traced<Accounts>(CREATE, STATE, { gas: INTRINSIC + gas })).length;
  assert.equal(await count(PUSHES + 11_999n), (await count(PUSHES + 12_000n)) - 1);
});

void test('steps show the refund for authorizations', async () => {
  const list = [signedDelegation('0x00000000000000000000000000000000000000dd', 0n)];
  const call = { gas: 200_000n, authorizationList: list };
  const { structLogs } = await traced<{ structLogs: Step[] }>('PUSH 0; POP', STEPS, call, 'prague');
  assert.deepEqual(
    structLogs.map(({ refund }) => refund),
    [12_500, 12_500, 12_500],
  );
});
