// The curve BLS12-381 (EIP-2537) in WebAssembly, for where blst is not built. Runs on publisher and estimators.
import { MCLBLS, type EVMBLSInterface } from '@ethereumjs/evm';

const G1_PAIR_BYTES = 160;
const G2_PAIR_BYTES = 288;
/** mcl puts all points of a sum on its stack of a megabyte, which nothing guards; a pair of G2 takes 320 bytes there. */
const PAIRS_MAX = 1024;

/** The library's wrapper of mcl, with long sums in parts. */
class WasmBls extends MCLBLS implements EVMBLSInterface {
  /** BLS12_G1MSM: the sum of points in the subgroup, each by its scalar; 160 bytes a pair. */
  override msmG1(input: Uint8Array): Uint8Array {
    const sums = parts(input, G1_PAIR_BYTES).map((part) => super.msmG1(part));
    return sums.reduce((sum, part) => this.addG1(joined(sum, part)));
  }

  /** BLS12_G2MSM: the same; 288 bytes a pair. */
  override msmG2(input: Uint8Array): Uint8Array {
    const sums = parts(input, G2_PAIR_BYTES).map((part) => super.msmG2(part));
    return sums.reduce((sum, part) => this.addG2(joined(sum, part)));
  }
}

/** Takes 0.1 s and some 10 MB, once a thread. `null`: the system has no memory for it. */
export async function createWasmBls(): Promise<EVMBLSInterface | null> {
  const { default: mcl } = await import('mcl-wasm');
  try {
    await mcl.init(mcl.BLS12_381);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const bls = new WasmBls(mcl);
  bls.init();
  return bls;
}

/** At least one. */
function parts(input: Uint8Array, pairBytes: number): Uint8Array[] {
  const bytes = PAIRS_MAX * pairBytes;
  const count = Math.max(1, Math.ceil(input.length / bytes));
  return Array.from({ length: count }, (_, at) => input.subarray(at * bytes, (at + 1) * bytes));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([a, b]));
}
