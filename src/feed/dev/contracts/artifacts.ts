// The dev chain's compiled contracts, which build.ts writes to artifacts.json.
import { readFileSync } from 'node:fs';

export interface ContractArtifact {
  /** The ABI as Solidity's JSON. */
  readonly abi: readonly unknown[];
  /** Creation code as `0x` hex, to which constructor arguments are appended. */
  readonly creationCode: string;
  /** Runtime code as `0x` hex. The contracts have no immutables, so this is the code at their address. */
  readonly runtimeCode: string;
  /** Storage slot of each state variable, by name. */
  readonly slots: Readonly<Record<string, number>>;
}

/** The artifacts of both contracts of the dev chain, as the build writes them. */
export interface DevContractArtifacts {
  readonly token: ContractArtifact;
  readonly pool: ContractArtifact;
}

/** Reads the artifacts. Throws if the project was compiled without `npm run build`. */
export function readDevContractArtifacts(): DevContractArtifacts {
  const artifacts: DevContractArtifacts = JSON.parse(readFileSync(new URL('artifacts.json', import.meta.url), 'utf8'));
  return artifacts;
}
