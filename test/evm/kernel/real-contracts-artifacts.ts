// Contracts as published by others, and small ones of this project that are compiled on demand.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Interface } from 'ethers';

/** The parts of a build that are needed to deploy and call a contract. */
export interface Artifact {
  readonly abi: Interface;
  /** `0x` hex, without constructor arguments. */
  readonly creationCode: string;
}

const require = createRequire(import.meta.url);
const OWN = new URL('../../../../test/evm/kernel/real-contracts.sol', import.meta.url);
const MODULES = new URL('../../../../node_modules/', import.meta.url);
const SETTINGS = {
  evmVersion: 'osaka',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/** Reads an artifact from a package; formats differ. */
export function packaged(path: string): Artifact {
  const file: { abi: []; bytecode: string } = JSON.parse(readFileSync(new URL(path, MODULES), 'utf8'));
  return { abi: new Interface(file.abi), creationCode: `0x${file.bytecode.replace(/^0x/, '')}` };
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, OutputContract>>>>;
}

interface OutputContract {
  readonly abi: [];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** This project's contracts by name. */
export function compileOwn(): Readonly<Record<string, Artifact>> {
  const solc: { compile(input: string, callbacks: object): string } = require('solc');
  const sources = { [fileURLToPath(OWN)]: { content: readFileSync(OWN, 'utf8') } };
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
  const output: Output = JSON.parse(solc.compile(input, { import: imported }));
  const wrong = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new Error(wrong.map((error) => error.formattedMessage).join('\n'));
  const contracts = Object.entries(output.contracts[fileURLToPath(OWN)]!);
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [
      name,
      { abi: new Interface(abi), creationCode: `0x${evm.bytecode.object}` },
    ]),
  );
}

function imported(path: string): { contents: string } {
  return { contents: readFileSync(new URL(path, MODULES), 'utf8') };
}
