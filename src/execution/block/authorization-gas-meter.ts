// Charges gas for EIP-7702 authorizations from Amsterdam on, by what each one changes in the state (EIP-2780,
// EIP-8037).
import type { TransactionRules } from '../../chain/active-forks.js';
import { gasSchedule, transactionPrices } from '../../chain/gas-schedule.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import type { CallRequest } from '../../transaction/evm-job.js';

/**
 * Gas figures of a transaction after its authorizations were charged and before its top-level message runs: the gas
 * that the message may use, and the gas that the authorizations have used in addition to the intrinsic gas.
 */
export interface MessageGas {
  /** `left` may pay for anything; `reservoir` may only pay for state gas (EIP-8037). */
  readonly left: bigint;
  readonly reservoir: bigint;
  /** Total gas that the authorizations have used, and the part of it that was state gas. */
  readonly used: bigint;
  readonly stateUsed: bigint;
  /** Refund that is due before the message runs (EIP-7702). */
  readonly refund: bigint;
}

/** A transaction whose authorizations have not been applied yet. */
export type AuthorizingTransaction = Pick<CallRequest, 'from' | 'to' | 'value' | 'authorizationList'>;

/** Charges the authorizations of one transaction, one after another, by what they change in the state (EIP-2780). */
export class AuthorizationGasMeter {
  readonly #gas: MessageGas;
  readonly #prices: { readonly accountWrite: bigint; readonly account: bigint; readonly delegation: bigint };
  /** Authorities whose first account write is already paid for. */
  readonly #written: Set<string>;
  /** Authorities that have already paid for a delegation. */
  readonly #delegated = new Set<string>();
  #left: bigint;
  #reservoir: bigint;
  #stateUsed = 0n;

  constructor({ from, to, value }: AuthorizingTransaction, gas: MessageGas, { common }: TransactionRules) {
    this.#gas = gas;
    this.#left = gas.left;
    this.#reservoir = gas.reservoir;
    const { stateAccount, stateDelegation } = gasSchedule(common);
    this.#prices = {
      accountWrite: BigInt(transactionPrices(common).accountWrite),
      account: BigInt(stateAccount),
      delegation: BigInt(stateDelegation),
    };
    // The intrinsic gas already pays for writing the sender's account. The cost of a value transfer already pays for
    // writing the recipient's account.
    this.#written = new Set([latin1Key(from)]);
    if (to !== null && value > 0n && !sameBytes(from, to)) this.#written.add(latin1Key(to));
  }

  /** Charges a valid authorization; returns false if there is not enough gas. */
  pay(authority: Uint8Array, does: { readonly makesAccount: boolean; readonly makesDelegation: boolean }): boolean {
    const key = latin1Key(authority);
    if (!this.#written.has(key)) this.#left -= this.#prices.accountWrite;
    this.#written.add(key);
    let state = does.makesAccount ? this.#prices.account : 0n;
    if (does.makesDelegation && !this.#delegated.has(key)) {
      this.#delegated.add(key);
      state += this.#prices.delegation;
    }
    const drawn = state < this.#reservoir ? state : this.#reservoir;
    this.#reservoir -= drawn;
    this.#left -= state - drawn;
    this.#stateUsed += state;
    return this.#left >= 0n;
  }

  /** Returns the gas that the message may use, after all charges made so far. */
  gas(): MessageGas {
    const used = this.#gas.left - this.#left + this.#gas.reservoir - this.#reservoir;
    const [left, reservoir, stateUsed] = [this.#left, this.#reservoir, this.#stateUsed];
    return { left, reservoir, used, stateUsed, refund: 0n };
  }
}
