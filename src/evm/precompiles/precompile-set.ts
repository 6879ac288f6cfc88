// THE table of what computes each precompile. Runs on publisher and estimators.
import {
  NobleBLS,
  NobleBN254,
  type EVMBLSInterface,
  type EVMBN254Interface,
  type PrecompileFunc,
} from '@ethereumjs/evm';
import { nativeBlake2f } from './blake2f.js';
import { NativeBls } from './bls12-381.js';
import { NativeBn254 } from './bn254.js';
import { nativeKzg } from './kzg.js';
import { nativeModexp } from './modexp.js';
import { NATIVE, type NativePrecompiles } from './native.js';
import { nativeP256Verify } from './p256-verify.js';
import { createWasmBls } from './wasm-bls.js';

/** What the precompiles of an engine are computed with. Gas, output and failure are the same in every set. */
export interface PrecompileSet {
  /** What replaces the library's function of a precompile, by number, in forks that have it. */
  readonly functions: ReadonlyMap<number, PrecompileFunc>;
  /** What the library's other functions compute with. */
  readonly bn254: EVMBN254Interface;
  readonly bls: EVMBLSInterface;
  /** What computes those that the library does not, by number. */
  readonly by: ReadonlyMap<number, 'native' | 'wasm'>;
}

/** What there is to compute with beside the library; `null`: it is not there. */
export interface Computing extends Omit<NativePrecompiles, 'reason'> {
  /** Serves where blst does not. */
  readonly wasmBls: EVMBLSInterface | null;
}

/** MODEXP, alt_bn128, BLAKE2F, P256VERIFY: what the addon computes, with blst or without. */
const ADDON_NUMBERS = [0x05, 0x06, 0x07, 0x08, 0x09, 0x100];
/** BLS12-381: what it computes by blst, as does WebAssembly. Point evaluation, too, is blst's. */
const BLS_NUMBERS = [0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11];

/** The library's own functions: the judge of the others. */
export const LIBRARY_PRECOMPILES: PrecompileSet = precompileSet({ addon: null, blst: null, wasmBls: null });

/** The addon's functions where it has them, else WebAssembly, which is loaded only then, else the library's. */
export const NATIVE_PRECOMPILES: PrecompileSet = precompileSet({
  ...NATIVE,
  wasmBls: NATIVE.blst === null ? await createWasmBls() : null,
});

/** What is computed with the functions that there are. */
export function precompileSet({ addon, blst, wasmBls }: Computing): PrecompileSet {
  const functions = new Map<number, PrecompileFunc>();
  if (addon !== null) {
    functions.set(0x05, nativeModexp(addon));
    functions.set(0x09, nativeBlake2f(addon));
    functions.set(0x100, nativeP256Verify(addon));
  }
  if (blst !== null) functions.set(0x0a, nativeKzg(blst));
  return {
    functions,
    bn254: addon === null ? new NobleBN254() : new NativeBn254(addon),
    bls: blst === null ? (wasmBls ?? new NobleBLS()) : new NativeBls(blst),
    by: new Map([
      ...(wasmBls === null ? [] : BLS_NUMBERS.map((number) => [number, 'wasm'] as const)),
      ...(addon === null ? [] : ADDON_NUMBERS.map((number) => [number, 'native'] as const)),
      ...(blst === null ? [] : [0x0a, ...BLS_NUMBERS].map((number) => [number, 'native'] as const)),
    ]),
  };
}
