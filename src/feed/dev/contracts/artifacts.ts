// The dev chain's compiled contracts, as build.ts wrote them.
import { readFileSync } from 'node:fs';

/** One compiled contract. */
export interface ContractArtifact {
  /** Solidity JSON ABI. */
  readonly abi: readonly unknown[];
  /** `0x` hex; constructor arguments are appended to it. */
  readonly creationCode: string;
  /** `0x` hex; the contracts have no immutables, so this is the code at the address. */
  readonly runtimeCode: string;
  /** Storage slot of every state variable by name. */
  readonly slots: Readonly<Record<string, number>>;
}

/** Artifacts of the dev chain's contracts, as the build writes them. */
export interface Artifacts {
  readonly token: ContractArtifact;
  readonly pool: ContractArtifact;
}

/** Reads the artifacts. Throws when the project was compiled without `npm run build`. */
export function readArtifacts(): Artifacts {
  const artifacts: Artifacts = JSON.parse(readFileSync(new URL('artifacts.json', import.meta.url), 'utf8'));
  return artifacts;
}
