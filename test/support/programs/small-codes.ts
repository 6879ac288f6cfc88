// Codes of a few bytes, and init code that deploys given runtime code.
import { CodeWriter, link } from './code.js';
import type { Random } from './random.js';

/** SELFDESTRUCT to the caller or to itself; store and load, or only load; return the call data, or revert. */
const RUNTIMES = codes(
  '5f545f5260205ff3',
  '33ff',
  '30ff',
  '5f3560015560015460005260205ff3',
  '365f5f37365ff3',
  '3d353d54016001553dfd',
);

/** Empty; STOP; SELFDESTRUCT to itself or to the creator; SSTORE; REVERT and INVALID. */
const INITS = codes('', '00', '30ff', '33ff', '60015f55', '5f5ffd', 'fe');

function codes(...texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => Uint8Array.from(Buffer.from(text, 'hex')));
}

/** Returns its first two slots. */
const [KEEPER] = codes('5f545f5260015460205260405ff3') as [Uint8Array];

export function smallRuntime(random: Random): Uint8Array {
  return random.pick(RUNTIMES);
}

export function smallInit(random: Random): Uint8Array {
  if (random.chance(0.5)) return random.pick(INITS);
  const code = new CodeWriter();
  code.begin();
  if (random.chance(0.5)) code.push(1).push(random.below(2)).op('SSTORE');
  returns(code, smallRuntime(random));
  return link(code.statements);
}

/** Creates a contract that stores the values it is created with, and returns them in every call. */
export function keeperInit(random: Random): Uint8Array {
  const code = new CodeWriter();
  code.begin();
  for (let slot = 0; slot < 2; slot++)
    code
      .push(random.pick([0, 1, 2, 2]))
      .push(slot)
      .op('SSTORE');
  returns(code, KEEPER);
  return link(code.statements);
}

/** Init code that deploys this runtime code. */
export function returns(code: CodeWriter, runtime: Uint8Array): void {
  code.push(runtime.length).data(runtime).push(0).op('CODECOPY');
  code.push(runtime.length).push(0).op('RETURN');
}
