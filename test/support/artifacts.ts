// Creation code of real contracts: Uniswap's as published on npm, and Work.sol compiled with solc.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const SOURCE = new URL('../../../test/support/contracts/Work.sol', import.meta.url);

const SETTINGS = {
  evmVersion: 'shanghai',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
};

interface Bytecode {
  readonly evm: { readonly bytecode: { readonly object: string } };
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: { readonly 'Work.sol': Readonly<Record<'Token' | 'Work', Bytecode>> };
}

interface Solc {
  compile(input: string, callbacks: { readonly import: (path: string) => { readonly contents: string } }): string;
}

/**
 * Creation code, as `0x` hex, of a contract that the Uniswap packages ship compiled, such as `UniswapV2Factory` of
 * `v2-core`.
 */
export function uniswapCode(name: 'v2-core' | 'v2-periphery', contract: string): string {
  const { evm }: Bytecode = require(`@uniswap/${name}/build/${contract}.json`);
  return `0x${evm.bytecode.object}`;
}

/** Creation code, as `0x` hex, of the contracts in Work.sol. Compiling takes a few seconds. */
export function compileWork(): { readonly token: string; readonly work: string } {
  const solc: Solc = require('solc');
  const sources = { 'Work.sol': { content: readFileSync(SOURCE, 'utf8') } };
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
  const output: Output = JSON.parse(solc.compile(input, { import: readPackage }));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  const { Token, Work } = output.contracts['Work.sol'];
  return { token: `0x${Token.evm.bytecode.object}`, work: `0x${Work.evm.bytecode.object}` };
}

function readPackage(path: string): { contents: string } {
  return { contents: readFileSync(require.resolve(path), 'utf8') };
}
