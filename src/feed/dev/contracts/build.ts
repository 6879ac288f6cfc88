// Compiles the dev chain's contracts to artifacts.json next to the compiled code. The compiler takes seconds and is
// skipped if neither sources nor settings nor the compiler have changed. Used by `npm run build` only.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inputsDigest, buildIfChanged } from '../../../lib/skip-up-to-date-builds.js';
import type { DevContractArtifacts, ContractArtifact } from './artifacts.js';

const CONTRACTS = ['Token', 'Pool'] as const;
const SOURCES = new URL('../../../../../src/feed/dev/contracts/', import.meta.url);
const TARGET = fileURLToPath(new URL('artifacts.json', import.meta.url));

/** Compiler settings. With `bytecodeHash: none` the code is the same wherever it is built. */
const SETTINGS = {
  evmVersion: 'osaka',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'storageLayout'] } },
};

/** The fields of solc's standard JSON output that this file reads. */
interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, OutputContract>>>>;
}

interface OutputContract {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
  readonly storageLayout: { readonly storage: readonly { readonly label: string; readonly slot: string }[] };
}

const require = createRequire(import.meta.url);
const sources = Object.fromEntries(
  CONTRACTS.map((name) => [`${name}.sol`, { content: readFileSync(new URL(`${name}.sol`, SOURCES), 'utf8') }]),
);
const { version }: { version: string } = require('solc/package.json');
buildIfChanged([TARGET], inputsDigest([version, JSON.stringify({ sources, SETTINGS })], []), () => write(compile()));

function compile(): Output {
  const solc: { compile(input: string): string } = require('solc');
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })),
  );
  // Warnings are treated as errors: the contracts are small enough to have none.
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  return output;
}

function write(output: Output): void {
  const artifacts: DevContractArtifacts = { token: artifact(output, 'Token'), pool: artifact(output, 'Pool') };
  writeFileSync(TARGET, JSON.stringify(artifacts));
}

function artifact(output: Output, name: (typeof CONTRACTS)[number]): ContractArtifact {
  const contract = output.contracts[`${name}.sol`]![name]!;
  return {
    abi: contract.abi,
    creationCode: `0x${contract.evm.bytecode.object}`,
    runtimeCode: `0x${contract.evm.deployedBytecode.object}`,
    slots: Object.fromEntries(contract.storageLayout.storage.map(({ label, slot }) => [label, Number(slot)])),
  };
}
