// Names of chains, for people. Runs on main.

const NAMES: Readonly<Record<string, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  130: 'Unichain',
  1301: 'Unichain Sepolia',
  8453: 'Base',
  17000: 'Holesky',
  57073: 'Ink',
  84532: 'Base Sepolia',
  560048: 'Hoodi',
  11155111: 'Sepolia',
  11155420: 'OP Sepolia',
};

/** What people call the chain; `null` for one that is not known here. */
export function chainName(chainId: bigint): string | null {
  return NAMES[chainId.toString()] ?? null;
}
