// Shrinks a world for as long as its mismatch remains, and prints the result.
import { toHex } from '../../../src/lib/bytes/hex.js';
import { differences, type Mismatch } from './compare.js';
import { link } from './code.js';
import { disassemble } from './opcodes.js';
import type { World, WorldAccount } from './world.js';

/** Most comparisons for shrinking one world. */
const TRIES_MAX = 600;

/** The smallest world found for which `isWrong` still holds. */
export async function shrink(world: World, isWrong: (world: World) => Promise<boolean>): Promise<World> {
  let smallest = world;
  let tries = 0;
  for (let found = true; found;) {
    found = false;
    for (const smaller of smallerWorlds(smallest)) {
      if (++tries > TRIES_MAX) return smallest;
      if (!(await isWrong(smaller))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

/** Large steps first: whole accounts, then halves of codes, then single statements, then instructions. */
function* smallerWorlds(world: World): Generator<World> {
  const { accounts, message } = world;
  for (const account of accounts) yield { ...world, accounts: accounts.filter((other) => other !== account) };
  if (message.accessList.length > 0) yield { ...world, message: { ...message, accessList: [] } };
  if (message.data.length > 0) yield { ...world, message: { ...message, data: new Uint8Array(0) } };
  for (const account of accounts) {
    for (const smaller of smallerAccounts(account))
      yield { ...world, accounts: accounts.map((other) => (other === account ? smaller : other)) };
  }
}

function* smallerAccounts(account: WorldAccount): Generator<WorldAccount> {
  const { code, storage } = account;
  if (storage.size > 0) yield { ...account, storage: new Map() };
  for (let length = code.length; length >= 1; length = length >> 1) {
    for (let at = 0; at + length <= code.length; at += length) yield { ...account, code: code.toSpliced(at, length) };
  }
  for (const [i, statement] of code.entries()) {
    for (let at = 0; statement.length > 1 && at < statement.length; at++)
      yield { ...account, code: code.with(i, statement.toSpliced(at, 1)) };
  }
}

/** The world, and how the two engines' results differ. */
export function describe(world: World, mismatch: Mismatch): string {
  const { message, accounts } = world;
  return [
    `seed ${world.seed}, ${world.fork}, ${mismatch.run} with gas ${mismatch.gasLimit}`,
    `to ${message.to === null ? 'nobody' : toHex(message.to)} value ${message.value} data ${toHex(message.data)}`,
    `coinbase ${toHex(world.context.env.coinbase)} number ${world.context.env.number} moves ${world.context.precompileMoves.length}`,
    ...message.accessList.map((entry) => `access ${toHex(entry.address)} ${entry.slots.map(toHex).join(' ')}`),
    ...accounts.flatMap(accountLines),
    ...differences(mismatch.first, mismatch.second).flatMap((name) => [
      `${name}:`,
      `  first:  ${mismatch.first[name]}`,
      `  second: ${mismatch.second[name]}`,
    ]),
  ].join('\n');
}

function accountLines({ address, nonce, balance, storage, code }: WorldAccount): string[] {
  const slots = [...storage].map(([slot, value]) => `${slot.toString(16)}: ${value.toString(16)}`).join(', ');
  const bytes = link(code);
  return [
    `${toHex(address)} nonce ${nonce} balance ${balance}${slots === '' ? '' : ` storage ${slots}`}`,
    ...(bytes.length === 0 ? [] : [`  code ${toHex(bytes)}`]),
    ...disassemble(bytes).map((line) => `    ${line}`),
  ];
}
