// Formats the banner that is printed at the start: the program, its chain and its addresses. Pure.
import type { ColourPainter } from './terminal-colours.js';

export interface BannerFacts {
  readonly version: string;
  /** The chain as one line: kind, name and chain id. */
  readonly chain: string;
  /**
   * Addresses where the service listens, and that of the status page. They are printed last, because the first lines of
   * the banner may scroll away.
   */
  readonly endpoints: readonly BannerEndpoint[];
  /**
   * Addresses of the live chain's node and feeds, its rules, and the methods that are passed through to the node. Empty
   * on any other chain.
   */
  readonly live: readonly BannerEndpoint[];
  /** The folder of the archive; `null` if there is no archive. */
  readonly dataFolder: string | null;
  /** Accounts, contracts and tools of the dev chain; `null` on any other chain. */
  readonly dev: DevChainFacts | null;
}

/** A name and an address in the banner: of a server, a feed, or a contract. */
export interface BannerEndpoint {
  readonly name: string;
  readonly address: string;
}

export interface DevChainFacts {
  readonly mnemonic: string;
  /**
   * A line about how often blocks and increments of the pending block are produced, and about the generated traffic.
   */
  readonly pace: string;
  /** A line that names the supported development tools. */
  readonly tools: string;
  readonly accounts: readonly DevAccount[];
  readonly contracts: readonly BannerEndpoint[];
}

/** A prefunded account; address and key as hex with `0x`. */
interface DevAccount {
  readonly address: string;
  readonly key: string;
  /** The account's balance in wei. */
  readonly balance: bigint;
}

const LABEL_WIDTH = 12;
const WARNING = 'These keys are public: whatever is sent to these accounts on another chain is lost.';

/** Formats the banner as lines of at most 100 columns. Only a line with a longer address or path exceeds that. */
export function formatBanner(facts: BannerFacts, paint: ColourPainter): string[] {
  const { version, chain, endpoints, live, dataFolder, dev } = facts;
  const row = (name: string, text: string): string => `  ${paint('dim', name.padEnd(LABEL_WIDTH))} ${text}`;
  return [
    '',
    `  ${paint('bold', 'prestate')} ${version}`,
    '',
    row('Chain', chain),
    ...(dev === null ? [] : [row('Blocks', dev.pace)]),
    ...live.map(({ name, address }) => row(name, address)),
    ...(dataFolder === null ? [] : [row('Data folder', dataFolder)]),
    ...(dev === null ? [] : ['', ...devLines(dev, row, paint)]),
    '',
    ...endpoints.map(({ name, address }) => row(name, paint('cyan', address))),
    '',
  ];
}

function devLines(dev: DevChainFacts, row: (name: string, text: string) => string, paint: ColourPainter): string[] {
  return [
    ...dev.contracts.map(({ name, address }) => row(name, address)),
    row('Mnemonic', dev.mnemonic),
    row('Dev tools', dev.tools),
    '',
    ...dev.accounts.flatMap(({ address, key, balance }, index) => [
      `  (${index}) ${address}  ${etherText(balance)}`,
      `      ${paint('dim', key)}`,
    ]),
    '',
    `  ${paint('yellow', WARNING)}`,
  ];
}

/** Formats a balance in ether, with at most four decimals. */
function etherText(wei: bigint): string {
  const tenThousandths = wei / 10n ** 14n;
  const fraction = String(tenThousandths % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${tenThousandths / 10_000n}${fraction === '' ? '' : `.${fraction}`} ETH`;
}
