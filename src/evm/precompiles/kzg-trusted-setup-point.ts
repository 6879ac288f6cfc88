// The only point of the KZG trusted setup that is needed to verify proofs (EIP-4844, EIP-7594).

/**
 * The point [s]G2 of the KZG ceremony, compressed, as hex. Verifying the proof of one value needs only this point.
 * Making proofs needs the whole setup; nodes do that, this service does not.
 */
export const KZG_SETUP_G2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72' +
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

/** Order of the groups of BLS12-381. The elements of a blob are in the field of this order. */
export const BLS_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
