// Banner, which a person reads first: the program, its chain and its addresses. Pure. Runs on main.
import type { Paint } from './paint.js';

/** Facts that the banner shows. */
export interface BannerFacts {
  readonly version: string;
  /** One line: kind, name and id. */
  readonly chain: string;
  /** Addresses at which it is asked, and the page of its status; shown at the end: what is above scrolls away. */
  readonly endpoints: readonly Endpoint[];
  /** Its node, its feeds, its rules, and what is passed on; none of a chain that lies here. */
  readonly live: readonly Endpoint[];
  /** `null`: nothing is kept. */
  readonly dataFolder: string | null;
  /** Only of the dev chain. */
  readonly dev: DevFacts | null;
}

/** Address at which questions are answered, or increments are told. */
export interface Endpoint {
  readonly name: string;
  readonly address: string;
}

/** Facts of the dev chain that the banner shows. */
export interface DevFacts {
  readonly mnemonic: string;
  /** One line on blocks and traffic. */
  readonly pace: string;
  /** One line on what development tools need. */
  readonly tools: string;
  readonly accounts: readonly DevAccount[];
  readonly contracts: readonly Endpoint[];
}

/** A prefunded account; address and key as hex with `0x`. */
export interface DevAccount {
  readonly address: string;
  readonly key: string;
  /** Wei. */
  readonly balance: bigint;
}

const LABEL_WIDTH = 12;
const WARNING = 'These keys are public: whatever is sent to these accounts on another chain is lost.';

/** Lines of at most 100 columns, unless an address or a path is longer by itself. */
export function bannerLines(facts: BannerFacts, paint: Paint): string[] {
  const { version, chain, endpoints, live, dataFolder, dev } = facts;
  const row = (name: string, text: string): string => `  ${paint.dim(name.padEnd(LABEL_WIDTH))} ${text}`;
  return [
    '',
    `  ${paint.bold('prestate')} ${version}`,
    '',
    row('Chain', chain),
    ...(dev === null ? [] : [row('Blocks', dev.pace)]),
    ...live.map(({ name, address }) => row(name, address)),
    ...(dataFolder === null ? [] : [row('Data folder', dataFolder)]),
    ...(dev === null ? [] : ['', ...devLines(dev, row, paint)]),
    '',
    ...endpoints.map(({ name, address }) => row(name, paint.cyan(address))),
    '',
  ];
}

function devLines(dev: DevFacts, row: (name: string, text: string) => string, paint: Paint): string[] {
  return [
    ...dev.contracts.map(({ name, address }) => row(name, address)),
    row('Mnemonic', dev.mnemonic),
    row('Dev tools', dev.tools),
    '',
    ...dev.accounts.flatMap(({ address, key, balance }, index) => [
      `  (${index}) ${address}  ${etherText(balance)}`,
      `      ${paint.dim(key)}`,
    ]),
    '',
    `  ${paint.yellow(WARNING)}`,
  ];
}

/** In ether, with at most four digits behind the point. */
function etherText(wei: bigint): string {
  const tenThousandths = wei / 10n ** 14n;
  const fraction = String(tenThousandths % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${tenThousandths / 10_000n}${fraction === '' ? '' : `.${fraction}`} ETH`;
}
