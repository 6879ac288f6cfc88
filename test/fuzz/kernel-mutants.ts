// Mutants of the kernel: bugs in its sources, each a slip of a line at most. Does a fuzzer see them? Runs in tests only.

/** A change to the kernel's sources that makes it wrong. `find` has to occur exactly once in all of them. */
export interface KernelMutant {
  readonly find: string;
  readonly replace: string;
}

function mutant(find: string, replace: string): KernelMutant {
  return { find, replace };
}

const GAS: Readonly<Record<string, KernelMutant>> = {
  'memory: the square is rounded up': mutant('count * count / 512', '(count * count + 511) / 512'),
  'memory of a call is free': mutant(
    'let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);\n  cost += warm(target)',
    'let cost: i64 = 0;\n  cost += warm(target)',
  ),
  'memory of a copy is free': mutant(
    'return grow(start, bytes, to) ? cost : -1',
    'return grow(start, bytes, to) ? cost & ~3 : -1',
  ),
  'a 63rd is kept back by calls': mutant(
    'min(gasAmount(sp), left - left / 64)',
    'min(gasAmount(sp), left - left / 63)',
  ),
  'a 63rd is kept back by creations': mutant('const given = left - left / 64;', 'const given = left - left / 63;'),
  'the stipend is one less': mutant('const STIPEND: i64 = 2300', 'const STIPEND: i64 = 2299'),
  'CALLCODE pays for new accounts': mutant('pays && opcode == op.CALL && isEmpty(target)', 'pays && isEmpty(target)'),
  'an account without balance is new': mutant(
    'opcode == op.CALL && isEmpty(target)',
    'opcode == op.CALL && isZero(target + A.BALANCE)',
  ),
  'a delegation is warm': mutant('cost += warm(delegate) ? COLD_ACCOUNT : WARM;', 'cost += WARM;'),
  'a delegation stays cold': mutant(
    'cost += warm(delegate) ? COLD_ACCOUNT : WARM;',
    'cost += load<u32>(delegate, A.FLAGS) & A.WARM ? WARM : COLD_ACCOUNT;',
  ),
  'the outermost delegation stays cold': mutant('    warm(delegate);\n', ''),
  'init code is free': mutant('if (limited) cost += 2 * words(bytes);', ''),
  'the hash of CREATE2 is free': mutant('if (salted) cost += 6 * words(bytes);', ''),
  'a byte of code costs 199': mutant('const CODE_BYTE: i64 = 200', 'const CODE_BYTE: i64 = 199'),
  'identity rounds down': mutant('const cost = 15 + 3 * words(bytes);', 'const cost = 15 + 3 * <i64>(bytes >> 5);'),
  'SELFDESTRUCT to an empty heir always costs': mutant(
    'if (hasBalance && isEmpty(heir)) cost',
    'if (isEmpty(heir)) cost',
  ),
  'EXP counts bits of bytes': mutant(
    '<u32>at + 8 - (<u32>clz(limb) >> 3)',
    '<u32>at + 8 - (<u32>(clz(limb) + 1) >> 3)',
  ),
  'the sentry lets 2300 through': mutant('if (gas <= SSTORE_SENTRY) break;', 'if (gas < SSTORE_SENTRY) break;'),
  'a slot is reset at the price of a cold one': mutant('const SLOT_RESET: i64 = 2900', 'const SLOT_RESET: i64 = 5000'),
  'clearing twice is refunded once': mutant(
    'if (isZero(current)) addRefund(-CLEARS);\n',
    'if (isZero(current)) addRefund(0);\n',
  ),
  'clearing a changed slot is not refunded': mutant('else if (isZero(value)) addRefund(CLEARS);', ''),
  'putting back what was set is refunded as a reset': mutant(
    'isZero(original) ? SLOT_SET - WARM : SLOT_RESET - WARM',
    'SLOT_RESET - WARM',
  ),
  'a revert keeps the refund': mutant('  setRefund(load<i64>(failed, F.REFUND_MARK));\n', ''),
  'a block lacks its JUMPDEST': mutant(
    '        count(row);\n        encode(',
    '        if (opcode != op.JUMPDEST) count(row);\n        encode(',
  ),
  'precompiles are cold': mutant('  if (precompileAt(entry) != 0) return false;\n  journal', '  journal'),
  'a byte of an exponent costs 49': mutant('50 * <i64>byteLength', '49 * <i64>byteLength'),
  'a byte of a log costs 7': mutant('const cost = 8 * <i64>bytes', 'const cost = 7 * <i64>bytes'),
  'a word to be hashed costs 5': mutant('const cost = 6 * words(bytes)', 'const cost = 5 * words(bytes)'),
  'a cold slot costs 2000': mutant('const COLD_SLOT: i64 = 2100', 'const COLD_SLOT: i64 = 2000'),
  'to look at a cold account costs 2500': mutant('const COLD_ACCOUNT: i64 = 2600', 'const COLD_ACCOUNT: i64 = 2500'),
  'to call a cold account costs 2500': mutant('const COLD_ACCOUNT: i64 = 2600', 'const COLD_ACCOUNT: i64 = 2500'),
  'a slot is set for the price of Istanbul': mutant('const SLOT_SET: i64 = 20_000', 'const SLOT_SET: i64 = 20_800'),
  'clearing is refunded as before London': mutant('const CLEARS: i64 = 4800', 'const CLEARS: i64 = 15_000'),
  'what a slot holds is written for the price of a reset': mutant('if (equal(current, value)) return WARM;', ''),
  'a slot written before is reset again': mutant(
    'SLOT_SET - WARM : SLOT_RESET - WARM);\n  return WARM;',
    'SLOT_SET - WARM : SLOT_RESET - WARM);\n  return SLOT_RESET;',
  ),
  'original is what the slot holds': mutant(
    'const original = entry + SLOT_BASE;',
    'const original = entry + SLOT_VALUE;',
  ),
  'writing to a cold slot costs no access': mutant('if (warmSlot(entry)) cost += COLD_SLOT;', 'warmSlot(entry);'),
  'SLOAD leaves its slot cold': mutant('if (cold) warmSlot(entry);', ''),
  'looking at an account leaves it cold': mutant(
    '          if (cold) warm(entry);\n          continue;',
    '          continue;',
  ),
  'EXTCODECOPY leaves an account cold': mutant(
    '          if (cold) warm(entry);\n          if (bytes != 0) {',
    '          if (bytes != 0) {',
  ),
  'a new account costs a gas less': mutant('const NEW_ACCOUNT: i64 = 25_000', 'const NEW_ACCOUNT: i64 = 24_999'),
  'the stipend is not paid for': mutant('const VALUE_TRANSFER: i64 = 9000', 'const VALUE_TRANSFER: i64 = 6700'),
  'memory of a creation is free': mutant(
    'let cost = memoryGas(memoryEnd) - memoryGas(memoryBytes);\n  if (limited)',
    'let cost: i64 = 0;\n  if (limited)',
  ),
  'memory of what is given back is free': mutant(
    '            gas -= cost;\n            memoryBytes = wholeWords(reach);\n          }\n          store<i64>(frame, gas, F.GAS);\n          reason = 0;\n          const how',
    '            memoryBytes = wholeWords(reach);\n          }\n          store<i64>(frame, gas, F.GAS);\n          reason = 0;\n          const how',
  ),
  'words of init code are rounded down': mutant(
    '2 * words(bytes);\n  if (salted)',
    '2 * <i64>(bytes >> 5);\n  if (salted)',
  ),
  'SHA-256 costs 11 a word': mutant('60 + 12 * words', '60 + 11 * words'),
  'a cold heir is free': mutant('if (warm(heir)) cost += COLD_ACCOUNT;', 'warm(heir);'),
  'a call that is refused keeps its stipend': mutant(
    'value))) return refuse(given + stipend)',
    'value))) return refuse(given)',
  ),
  'a call that is refused keeps its gas': mutant(
    '  store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);\n  const sp',
    '  const sp',
  ),
  'gas that a deposit lacks comes back': mutant(
    'CODE_STORE_GAS);\n    return fail(ending, 0);',
    'CODE_STORE_GAS);\n    return fail(ending, gas);',
  ),
  'a creation where somebody is costs nothing': mutant(
    'setError(status.COLLISION);\n    return fail(next, 0);',
    'setError(status.COLLISION);\n    return fail(next, gas);',
  ),
  'a precompile that fails gives gas back': mutant(
    'setError(status.PRECOMPILE_FAILED);\n    return fail(next, 0);',
    'setError(status.PRECOMPILE_FAILED);\n    return fail(next, load<i64>(next, F.GAS));',
  ),
  'the sender is cold': mutant('  warm(sender);\n', ''),
  'the receiver is cold': mutant('  warm(target);\n', ''),
  'coinbase and access list are cold': mutant('  warm(entry);\n  return true;', '  return true;'),
  'slots of the access list are cold': mutant('  warmSlot(key);\n', ''),
  'slots of the access list are cold in what is new': mutant(
    '  if (wasListed(account, key)) store<u32>(entry, WARM, S.SLOT_FLAGS);\n',
    '',
  ),
  'what was warm stays so for the next message': mutant('  store<u32>(entry, 0, A.FLAGS);\n', ''),
  'slots that were warm stay so for the next message': mutant('  store<u32>(entry, 0, S.SLOT_FLAGS);\n', ''),
};

const NEED: Readonly<Record<string, KernelMutant>> = {
  'the inverse of 63/64 is one too high': mutant('gas + (gas - 1) / 63', 'gas + gas / 63'),
  'need of SSTORE is the sentry': mutant('- gas + SSTORE_SENTRY + 1)', '- gas + SSTORE_SENTRY)'),
  'need of a child ignores the stipend': mutant('need - load<i64>(frame, F.CHILD_STIPEND)', 'need'),
  'need of a halted child is not raised': mutant('base + F.inverse(given)', 'base + given'),
  'need before a call is forgotten': mutant('  F.atLeast(frame, load<i64>(frame, F.GAS_GIVEN) - left);\n', ''),
  'need lacks the deposit': mutant(
    'F.atLeast(ending, load<i64>(ending, F.GAS_GIVEN) - left);',
    'F.atLeast(ending, load<i64>(ending, F.GAS_GIVEN) - gas);',
  ),
  'need of a precompile is nothing': mutant(
    'load<i64>(next, F.GAS) - used, used)',
    'load<i64>(next, F.GAS) - used, 0)',
  ),
  'all gas is taken for a fixed amount': mutant('given < left - left / 64', 'given <= left - left / 64'),
  'GAS is sensitive where a call takes it': mutant('u64(!isCall(', 'u64(isCall('),
  'a call that used up all gas is not sensitive': mutant('  else looksAtGas();\n', ''),
  'need of a child that reverts is nothing': mutant(
    'return finish(succeeded, false, gas, load<i64>(ending, F.NEED));',
    'return finish(succeeded, false, gas, succeeded ? load<i64>(ending, F.NEED) : 0);',
  ),
  'need is that of the costliest part': mutant(
    '  F.atLeast(ending, load<i64>(ending, F.GAS_GIVEN) - gas);\n  memory',
    '  memory',
  ),
};

const TAKING_BACK: Readonly<Record<string, KernelMutant>> = {
  'a balance taken from': mutant(
    'amount: usize): void {\n  journal.rememberBalance(entry);\n',
    'amount: usize): void {\n',
  ),
  'a balance added to': mutant(
    'amount: usize): bool {\n  journal.rememberBalance(entry);\n',
    'amount: usize): bool {\n',
  ),
  'a balance cleared': mutant(
    'clearBalance(entry: usize): void {\n  journal.rememberBalance(entry);\n',
    'clearBalance(entry: usize): void {\n',
  ),
  'a nonce': mutant('  journal.rememberNonce(entry);\n', ''),
  'a code': mutant('  journal.rememberCode(entry);\n', ''),
  'a warm account': mutant('return false;\n  journal.rememberFlags(entry);\n', 'return false;\n'),
  'that it was made, destroyed or touched': mutant(
    'flag: u32): void {\n  journal.rememberFlags(entry);\n',
    'flag: u32): void {\n',
  ),
  'a slot': mutant('  journal.rememberSlot(entry);\n', ''),
  'a warm slot': mutant('  journal.rememberSlotFlags(entry);\n', ''),
  'transient storage': mutant('  journal.rememberTransient(entry);\n', ''),
  logs: mutant('  logs.revert(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));\n', ''),
  'the oldest first': mutant(
    'let entry = top;\n  while (entry > mark) {\n    entry -= JOURNAL_BYTES;\n    restore(entry);\n  }',
    'for (let entry = mark; entry < top; entry += JOURNAL_BYTES) restore(entry);',
  ),
};

const FRAMES: Readonly<Record<string, KernelMutant>> = {
  'what is called by a static frame may write': mutant(': flags & F.STATIC, F.FLAGS', ': 0, F.FLAGS'),
  'what is delegated to by a static frame may write': mutant(
    ': flags & F.STATIC, F.FLAGS',
    ': isDelegate ? 0 : flags & F.STATIC, F.FLAGS',
  ),
  'a static frame may pay': mutant(
    '  if (opcode == op.CALL && pays && (flags & F.STATIC) != 0) return halt(status.STATIC_CHANGE);\n',
    '',
  ),
  'a static frame may create': mutant(
    '  if ((load<u32>(frame, F.FLAGS) & F.STATIC) != 0) return halt(status.STATIC_CHANGE);\n  const salted',
    '  const salted',
  ),
  'a static frame may destroy itself': mutant(
    '  if ((load<u32>(frame, F.FLAGS) & F.STATIC) != 0) return halt(status.STATIC_CHANGE);\n  const self',
    '  const self',
  ),
  'a static frame may log': mutant(
    'case op.LOG4: {\n          if (flags & F.STATIC) {',
    'case op.LOG4: {\n          if (flags & F.CREATES & F.STATIC) {',
  ),
  'one frame too few': mutant('depth >= <i32>DEPTH_MAX || (pays', 'depth >= <i32>DEPTH_MAX - 1 || (pays'),
  'one frame too few for creations': mutant('depth >= <i32>DEPTH_MAX || less(', 'depth >= <i32>DEPTH_MAX - 1 || less('),
  'one may pay what one has but for one wei': mutant(
    '(pays && less(self + A.BALANCE, value))',
    '(pays && !less(value, self + A.BALANCE))',
  ),
  'the caller of delegated code is the delegator': mutant(
    'copyAddress(next + F.CALLER, frame + F.CALLER);',
    'copyAddress(next + F.CALLER, self);',
  ),
  'the value of delegated code is none': mutant(
    'copy(next + F.VALUE, frame + F.VALUE);',
    'copy(next + F.VALUE, ZERO);',
  ),
  'output is as long as was asked for': mutant(
    'min(load<u32>(frame, F.OUT_BYTES), returnBytes)',
    'load<u32>(frame, F.OUT_BYTES)',
  ),
  'the caller of a creation sees its code': mutant('setReturnBytes(depth < 0 ? bytes : 0);', 'setReturnBytes(bytes);'),
  'a call that is refused leaves return data': mutant(
    '  setReturnBytes(0);\n}\n\n/** Up to where',
    '}\n\n/** Up to where',
  ),
  'precompiles that fail leave return data': mutant('  takeBack(failed);\n  setReturnBytes(0);', '  takeBack(failed);'),
  'payers are not touched': mutant('    touch(to);\n', ''),
  'heirs are not touched': mutant('    else touch(heir);\n', ''),
  'a static frame may store': mutant(
    'case op.SSTORE: {\n          if (flags & F.STATIC) {',
    'case op.SSTORE: {\n          if (flags & F.CREATES & F.STATIC) {',
  ),
  'a static frame may store for now': mutant(
    'case op.TSTORE: {\n          if (flags & F.STATIC) {',
    'case op.TSTORE: {\n          if (flags & F.CREATES & F.STATIC) {',
  ),
  'a static frame may not pay itself': mutant('if (opcode == op.CALL && pays && (flags', 'if (pays && (flags'),
  'STATICCALL is a CALL': mutant('opcode == op.STATICCALL ? F.STATIC :', 'false ? F.STATIC :'),
  'CALLCODE is a CALL': mutant(
    'const keepsSelf = isDelegate || opcode == op.CALLCODE;',
    'const keepsSelf = isDelegate;',
  ),
  'input is the beginning of memory': mutant(
    'inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset',
    'memoryStart',
  ),
  'output goes to the beginning of memory': mutant(
    'store<u32>(frame, <u32>outOffset, F.OUT);',
    'store<u32>(frame, 0, F.OUT);',
  ),
  'the outermost message may pay what it has not': mutant(
    'if (less(sender + A.BALANCE, next + F.VALUE)) {\n    setError',
    'if (false) {\n    setError',
  ),
  'delegations are older than Prague': mutant(
    'if (load<u32>(code, C.DELEGATES) != 0 && rules.has(rules.DELEGATION)) {\n    const delegate = account(code + C.DELEGATE);\n    if (delegate == 0) return aborted;\n    cost',
    'if (load<u32>(code, C.DELEGATES) != 0) {\n    const delegate = account(code + C.DELEGATE);\n    if (delegate == 0) return aborted;\n    cost',
  ),
  'outermost delegations are older than Prague': mutant(
    'if (load<u32>(code, C.DELEGATES) != 0 && rules.has(rules.DELEGATION)) {\n    const delegate = account(code + C.DELEGATE);\n    if (delegate == 0) return aborted;\n    warm',
    'if (load<u32>(code, C.DELEGATES) != 0) {\n    const delegate = account(code + C.DELEGATE);\n    if (delegate == 0) return aborted;\n    warm',
  ),
  'what failed is told with an item less': mutant(
    '(sp + 32 - load<u32>(frame, F.STACK_START)) >> 5',
    '(sp - load<u32>(frame, F.STACK_START)) >> 5',
  ),
};

const CONTRACTS: Readonly<Record<string, KernelMutant>> = {
  'every contract goes': mutant('const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;', 'const isNew = true;'),
  'no contract goes': mutant('const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;', 'const isNew = false;'),
  'its own heir loses its balance': mutant('if (goes || heir != self) clearBalance(self);', 'clearBalance(self);'),
  'its own heir keeps its balance': mutant(
    'if (goes || heir != self) clearBalance(self);',
    'if (heir != self) clearBalance(self);',
  ),
  'the address is of the next nonce': mutant(
    'else numberedAddress(self, nonce);',
    'else numberedAddress(self, nonce + 1);',
  ),
  'nonce 128 is a byte of its own': mutant('if (nonce >= 0x80) bytes', 'if (nonce > 0x80) bytes'),
  'nonces of two bytes are one': mutant('8 - (<u32>clz(nonce) >> 3)', '8 - (<u32>(clz(nonce) + 1) >> 3)'),
  'a creator has any nonce': mutant(' || nonce == u64.MAX_VALUE', ''),
  'the salt is turned around': mutant('swap(PREIMAGE + 21, salt);', 'copy(PREIMAGE + 21, salt);'),
  'code may be one byte longer': mutant('const CODE_MAX: u32 = 24_576', 'const CODE_MAX: u32 = 24_577'),
  'code may be one byte less long': mutant('const CODE_MAX: u32 = 24_576', 'const CODE_MAX: u32 = 24_575'),
  'init code may be one byte longer': mutant('const INITCODE_MAX: u64 = 49_152', 'const INITCODE_MAX: u64 = 49_153'),
  'init code may be one byte less long': mutant('const INITCODE_MAX: u64 = 49_152', 'const INITCODE_MAX: u64 = 49_151'),
  'code may begin with EF': mutant(
    '  if (bytes > 0) {\n    if (load<u8>(data) == 0xef) {',
    '  if (bytes > 0) {\n    if (load<u8>(data) == 0xee) {',
  ),
  'a nonce is not in the way': mutant(
    'if (load<u64>(created, A.NONCE) != 0 || !hasNoCode(created)) {',
    'if (!hasNoCode(created)) {',
  ),
  'code is not in the way': mutant(
    'if (load<u64>(created, A.NONCE) != 0 || !hasNoCode(created)) {',
    'if (load<u64>(created, A.NONCE) != 0) {',
  ),
  'a creation that fails leaves its address cold': mutant(
    '  warm(created);\n  markFrame(next);',
    '  markFrame(next);\n  warm(created);',
  ),
  'contracts begin with nonce 0': mutant('setNonce(created, 1);', 'setNonce(created, 0);'),
  'storage of an older contract is seen': mutant(
    'return <u64>account | (<u64>load<u32>(account, INCARNATION) << 32);',
    'return <u64>account;',
  ),
  'transient storage is common to all': mutant('make: bool): usize {\n', 'make: bool): usize {\n  account = 0;\n'),
  'the next message begins with old storage': mutant('copy(entry + S.SLOT_BASE, entry + S.SLOT_VALUE);', ''),
  'the next message begins with old balances': mutant('copy(entry + A.BASE_BALANCE, entry + A.BALANCE);', ''),
  'the next message begins with old nonces': mutant(
    'store<u64>(entry, load<u64>(entry, A.NONCE), A.BASE_NONCE);\n  store<u32>(entry, load<u32>(entry, A.INCARNATION)',
    'store<u32>(entry, load<u32>(entry, A.INCARNATION)',
  ),
  'the next message begins with old storages': mutant(
    '  store<u32>(entry, load<u32>(entry, A.INCARNATION), A.BASE_INCARNATION);\n',
    '',
  ),
  'what is new is not known to be': mutant('  mark(created, A.CREATED);\n', ''),
  'what goes is not told': mutant('  if (goes) mark(self, A.DESTROYED);\n', ''),
  'heirs get nothing': mutant('if (hasBalance) addBalance(heir, self + A.BALANCE);', 'if (hasBalance) touch(heir);'),
  'creations do not count': mutant('  setNonce(self, nonce + 1);\n', ''),
  'what is new gets no value': mutant(
    'if (!isZero(next + F.VALUE) && !transfer(creator, created, next + F.VALUE)) {',
    'if (false) {',
  ),
  'init code has input': mutant('  store<u32>(next, 0, F.INPUT_BYTES);\n', ''),
  'the address is of whole words of init code': mutant(
    'keccak256(PREIMAGE + 53, initcode, bytes);',
    'keccak256(PREIMAGE + 53, initcode, bytes & ~31);',
  ),
  'the next message begins with old codes': mutant('copy(entry + A.BASE_CODE_HASH, entry + A.CODE_HASH);', ''),
  'transient storage outlives the message': mutant(
    'if (<u32>(tagged >> 32) != epoch) break;',
    'if (tagged == 0) break;',
  ),
};

const INSTRUCTIONS: Readonly<Record<string, KernelMutant>> = {
  'a block needs an item less': mutant('lowest = min(lowest, height);', 'lowest = min(lowest, height + 1);'),
  'a block adds an item less': mutant('highest = max(highest, height);', 'highest = max(highest, height - 1);'),
  'the stack has 1025 items': mutant('stackStart + 1023 * 32', 'stackStart + 1024 * 32'),
  'a JUMPDEST begins no block': mutant(
    'if (!live || !isFresh()) begin(pc);\n      store',
    'if (!live) begin(pc);\n      store',
  ),
  'what is pushed is jumped to': mutant(
    'if (isPush) pc += opcode - op.PUSH1 + 1;',
    'if (isPush && live) pc += opcode - op.PUSH1 + 1;',
  ),
  'careful mode gives too much gas back': mutant('    if (opcode == op.JUMPDEST && at != pc) break;\n', ''),
  'careful mode gives no gas back': mutant(': <i64>staticGasFrom(code, pc);', ': 0;'),
  'RETURNDATACOPY reads a byte beyond': mutant('from + bytes > returnBytes', 'from + bytes > returnBytes + 1'),
  'RETURNDATACOPY of nothing reads anywhere': mutant(
    'from + bytes > returnBytes',
    'bytes != 0 && from + bytes > returnBytes',
  ),
  'copies leave what was there': mutant('  if (there < count) memory.fill(to + there, 0, count - there);\n', ''),
  'call data end a byte early': mutant('if (offset + 32 <= length) {', 'if (offset + 31 <= length) {'),
  'Keccak-256 of 135 bytes': mutant('load<u8>(LAST_BLOCK, RATE - 1) | 0x80', '0x80'),
  'Keccak-256 of 136 bytes': mutant('length >= RATE', 'length > RATE'),
  'a mapping keeps what it never did': mutant('load<u32>(row, IS_FILLED) == 0 || ', ''),
  'a mapping keeps what another does': mutant('|| !equal(row, input) || !equal(row + 32, input + 32)) fill', ') fill'),
  'MCOPY goes upwards': mutant(
    'if (bytes != 0) memory.copy(memoryStart + <usize>to, memoryStart + <usize>from, <usize>bytes);',
    'for (let i: usize = 0; i < <usize>bytes; i++) store<u8>(memoryStart + <usize>to + i, load<u8>(memoryStart + <usize>from + i));',
  ),
  'MCOPY pays for its target only': mutant('const last = max(to, from) + bytes;', 'const last = to + bytes;'),
  'MSTORE8 makes memory a byte too long': mutant('const reach = offset + 1;', 'const reach = offset + 2;'),
  'SIGNEXTEND from byte 30 does nothing': mutant('const fill = bytes < 31', 'const fill = bytes < 30'),
  'SIGNEXTEND keeps bits of its limb': mutant(
    'bits == 64 ? -1 : ((<u64>1) << bits) - 1',
    'bits == 64 ? -1 : ((<u64>1) << (bits + 1)) - 1',
  ),
  'BYTE 31 is zero': mutant('index < 32 ? load<u8>', 'index < 31 ? load<u8>'),
  'SAR is SHR': mutant('<u64>(load<i64>(value, 24) >> 63)', 'load<u64>(value, 24) >> 63'),
  'SHR by whole limbs': mutant(
    'store<u64>(out, joinRight(w2, w3, rest), 16);',
    'store<u64>(out, joinRight(w2, w3, rest) | w3 << (64 - rest), 16);',
  ),
  'CLZ adds every limb': mutant('    if (zeros < 64) break;\n', ''),
  'SLT is unsigned above 192 bits': mutant(
    'const a3 = load<i64>(a, 24);\n  const b3 = load<i64>(b, 24);',
    'const a3 = load<u64>(a, 24);\n  const b3 = load<u64>(b, 24);',
  ),
  'a product lacks a carry': mutant(' + <u64>(s4 < s3)', ''),
  'ADDMOD lacks the 257th bit': mutant('if (load<u64>(SUM, 32) != 0 || !isLess(SUM, m))', 'if (!isLess(SUM, m))'),
  'BLOCKHASH reaches 257 back': mutant('distance - 1 >= 256', 'distance - 1 > 256'),
  'BLOBHASH has one more': mutant(
    'if (index < load<u32>(MESSAGE, MESSAGE_BLOBS))',
    'if (index <= load<u32>(MESSAGE, MESSAGE_BLOBS))',
  ),
  'the last topic comes first': mutant('topic - (<usize>i << 5)', 'topic - (<usize>(topics - 1 - i) << 5)'),
  'EXTCODEHASH of the empty': mutant('if (isEmpty(entry)) zero(sp);', 'if (false) zero(sp);'),
  'addresses have 21 bytes': mutant(
    '  store<u64>(out, bswap<u64>(load<u64>(address, 12)));\n',
    '  store<u64>(out, bswap<u64>(load<u64>(address, 12)) & ~1);\n',
  ),
  'ORIGIN is the caller': mutant('fromAddress(sp, MESSAGE + MESSAGE_CALLER);', 'fromAddress(sp, frame + F.CALLER);'),
  'GASPRICE is the base fee': mutant('copy(sp, MESSAGE + MESSAGE_GAS_PRICE);', 'copy(sp, ENV + ENV_BASE_FEE);'),
  'BASEFEE is that of blobs': mutant('copy(sp, ENV + ENV_BASE_FEE);', 'copy(sp, ENV + ENV_BLOB_BASE_FEE);'),
  'BLOBBASEFEE is that of gas': mutant('copy(sp, ENV + ENV_BLOB_BASE_FEE);', 'copy(sp, ENV + ENV_BASE_FEE);'),
  'PREVRANDAO has 192 bits': mutant(
    'copy(sp, ENV + ENV_RANDAO);',
    'copy(sp, ENV + ENV_RANDAO);\n          store<u64>(sp, 0, 24);',
  ),
  'GASLIMIT is the time': mutant(
    'setU64(sp, load<u64>(ENV, ENV_GAS_LIMIT));',
    'setU64(sp, load<u64>(ENV, ENV_TIMESTAMP));',
  ),
  'COINBASE is the origin': mutant(
    'fromAddress(sp, ENV + ENV_COINBASE);',
    'fromAddress(sp, MESSAGE + MESSAGE_CALLER);',
  ),
  'SELFBALANCE is the value': mutant('copy(sp, self + A.BALANCE);', 'copy(sp, frame + F.VALUE);'),
  'CHAINID is 1': mutant('copy(sp, ENV + ENV_CHAIN_ID);', 'setU64(sp, 1);'),
  'BLOCKHASH looks at 64 bits': mutant('if (rest != 0 || number > current', 'if (number > current'),
  'BLOCKHASH counts back beyond the first block': mutant('number > current || ', ''),
  'JUMP looks at 64 bits': mutant(
    'case op.JUMP: {\n          const to = destination(jumps, codeLength, size(sp));',
    'case op.JUMP: {\n          const to = destination(jumps, codeLength, load<u64>(sp));',
  ),
  'MSTORE looks at 64 bits': mutant(
    'case op.MSTORE: {\n          const offset = size(sp);',
    'case op.MSTORE: {\n          const offset = load<u64>(sp);',
  ),
  'shifts look at 64 bits': mutant('return high == 0 && low < 256', 'return low < 256'),
  'CLZ of a limb of zeros goes no further': mutant('    if (zeros < 64) break;\n', '    break;\n'),
  'the last byte of a log is lost': mutant('memory.copy(at, data, length)', 'memory.copy(at, data, length - 1)'),
  'SHA-256 of 56 bytes': mutant('count + 1 + LENGTH_BYTES > BLOCK', 'count + LENGTH_BYTES > BLOCK'),
  'SHA-256 counts bytes': mutant('bswap<u64>(<u64>length << 3)', 'bswap<u64>(<u64>length)'),
};

const FUSED: Readonly<Record<string, KernelMutant>> = {
  'PUSH ADD loses the carry': mutant('          if (sum < low) carry(sp + 8);\n', ''),
  'PUSH ADD carries twice at most': mutant(
    'for (let i = 0; i < 3; i++, limb += 8)',
    'for (let i = 0; i < 2; i++, limb += 8)',
  ),
  'ISZERO PUSH JUMPI looks at 64 bits': mutant('if (!isZero(sp)) {', 'if (load<u64>(sp) != 0) {'),
  'PUSH JUMPI looks at 64 bits': mutant('if (isZero(sp)) {', 'if (load<u64>(sp) == 0) {'),
  'PUSH20 AND keeps the upper half': mutant(
    'v128.and(v128.load(sp, 16), v128.load(ip, INSTRUCTION + 16)), 16)',
    'v128.load(sp, 16), 16)',
  ),
  'a selector has 24 bits': mutant('operand & 0xffff_ffff', 'operand & 0xff_ffff'),
  'a selector is not compared above 64 bits': mutant('if (rest != 0 || load<u64>(sp) !=', 'if (load<u64>(sp) !='),
  'a selector takes its operand': mutant(
    'countOpcode(op.DUP1);\n  countOpcode(op.PUSH1);\n  countOpcode(op.EQ);',
    'countOpcode(op.PUSH1);\n  countOpcode(op.EQ);',
  ),
  'PUSH MLOAD makes memory too short': mutant(
    'case op.MLOAD_AT: {\n          const offset = load<u64>(ip, OPERAND);\n          const reach = offset + 32;',
    'case op.MLOAD_AT: {\n          const offset = load<u64>(ip, OPERAND);\n          const reach = offset + 1;',
  ),
  'PUSH MSTORE is a gas cheaper': mutant(
    'countOpcode(opcode);\n  countOpcode(next);',
    'countOpcode(opcode);\n  if (operation != op.MSTORE_AT) countOpcode(next);\n  else { height -= 2; lowest = min(lowest, height); }',
  ),
  'SWAP1 POP drops the top': mutant('copy(sp - 32, sp);\n          sp -= 32;', 'sp -= 32;'),
  'what begins with PUSH is not jumped over': mutant('pc += fused - 1;\n', 'pc += fused - 1 - u32(fused == 5);\n'),
};

/** By what they make of the kernel. */
export const KERNEL_MUTANTS: Readonly<Record<string, KernelMutant>> = {
  ...GAS,
  ...NEED,
  ...Object.fromEntries(Object.entries(TAKING_BACK).map(([name, bug]) => [`not taken back: ${name}`, bug])),
  ...FRAMES,
  ...CONTRACTS,
  ...INSTRUCTIONS,
  ...FUSED,
};
