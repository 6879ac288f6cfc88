// Mutants of the kernel: bugs in its sources, each a slip of a line at most. Does a fuzzer see them?
//
// A mutant is anchored by what it is about: a function, a constant or a case of the interpreter, and what stands there
// once.
import { AMSTERDAM_MUTANTS } from './amsterdam-mutants.js';
import type { KernelChange } from './kernel-sources.js';

function mutant(place: string, find: string, replace: string): KernelChange {
  return { place, find, replace };
}

const GAS: Readonly<Record<string, KernelChange>> = {
  'memory: the square is rounded up': mutant(
    'frames/memory.memoryGas',
    'count * count / 512',
    '(count * count + 511) / 512',
  ),
  'memory of a call is free': mutant('frames/calls.call', 'memoryGas(memoryEnd) - memoryGas(memoryBytes)', '0'),
  'memory of a copy is free': mutant('frames/memory.extend', '? cost : -1', '? cost & ~3 : -1'),
  'a 63rd is kept back by calls': mutant(
    'frames/calls.call',
    'min(gasAmount(sp), left - left / 64)',
    'min(gasAmount(sp), left - left / 63)',
  ),
  'a 63rd is kept back by creations': mutant('frames/creations.give', 'left - left / 64', 'left - left / 63'),
  'the stipend is one less': mutant('gas-costs.STIPEND', '2300', '2299'),
  'CALLCODE pays for new accounts': mutant(
    'frames/calls.call',
    'pays && opcode == op.CALL && isEmpty(target)',
    'pays && isEmpty(target)',
  ),
  'an account without balance is new': mutant(
    'frames/calls.call',
    'opcode == op.CALL && isEmpty(target)',
    'opcode == op.CALL && isZero(target + A.BALANCE)',
  ),
  'a delegation is warm': mutant(
    'frames/calls.call',
    'cost += warm(delegate) ? price(P.COLD_ACCOUNT) : WARM;',
    'cost += WARM;',
  ),
  'a delegation stays cold': mutant(
    'frames/calls.call',
    'cost += warm(delegate) ? price(P.COLD_ACCOUNT) : WARM;',
    'cost += load<u32>(delegate, A.FLAGS) & A.WARM ? WARM : price(P.COLD_ACCOUNT);',
  ),
  'the outermost delegation stays cold': mutant(
    'frames/calls.callOutermost',
    'resolution = warm(delegate) ? price(P.COLD_ACCOUNT) : WARM;',
    'resolution = price(P.COLD_ACCOUNT);',
  ),
  'init code is free': mutant('frames/creations.create', 'if (limited) cost += INITCODE_WORD * words(bytes);', ''),
  'the hash of CREATE2 is free': mutant('frames/creations.create', 'if (salted) cost += HASH_WORD * words(bytes);', ''),
  'a byte of code costs 199': mutant(
    'frames/frame-return.deposit',
    'price(P.CODE_BYTE) * <i64>bytes',
    '(price(P.CODE_BYTE) - 1) * <i64>bytes',
  ),
  'identity rounds down': mutant(
    'frames/precompiles.runPrecompile',
    'const cost = 15 + 3 * words(bytes);',
    'const cost = 15 + 3 * <i64>(bytes >> 5);',
  ),
  'SELFDESTRUCT to an empty heir always costs': mutant(
    'state/destruction.destroy',
    'hasBalance && isEmpty(heir);',
    'isEmpty(heir);',
  ),
  'EXP counts bits of bytes': mutant(
    'words/arithmetic.byteLength',
    '<u32>at + 8 - (<u32>clz(limb) >> 3)',
    '<u32>at + 8 - (<u32>(clz(limb) + 1) >> 3)',
  ),
  'the sentry lets 2300 through': mutant('instructions/storage.SSTORE', 'gas <= SSTORE_SENTRY', 'gas < SSTORE_SENTRY'),
  'a slot is reset at the price of a cold one': mutant(
    'instructions/storage.meterStore',
    'return price(P.SLOT_RESET);',
    'return price(P.SLOT_RESET) + COLD_SLOT;',
  ),
  'clearing twice is refunded once': mutant(
    'instructions/storage.meterStore',
    'addRefund(-price(P.CLEARS))',
    'addRefund(0)',
  ),
  'clearing a changed slot is not refunded': mutant(
    'instructions/storage.meterStore',
    'else if (isZero(value)) addRefund(price(P.CLEARS));',
    '',
  ),
  'putting back what was set is refunded as a reset': mutant(
    'instructions/storage.meterStore',
    'isZero(original) ? P.SLOT_SET : P.SLOT_RESET',
    'P.SLOT_RESET',
  ),
  'a revert keeps the refund': mutant(
    'frames/frame-return.takeBack',
    'setRefund(load<i64>(failed, F.REFUND_MARK));',
    '',
  ),
  'a block lacks its JUMPDEST': mutant('code/decode.decodeAt', 'count(row);', 'if (opcode != op.JUMPDEST) count(row);'),
  'precompiles are cold': mutant('state/accounts.warm', 'if (isPrewarmed(entry)) return false;\n  journal', 'journal'),
  'a byte of an exponent costs 49': mutant('gas-costs.EXPONENT_BYTE', '50', '49'),
  'a byte of a log costs 7': mutant('gas-costs.LOG_BYTE', '8', '7'),
  'a word to be hashed costs 5': mutant(
    'instructions/memory.KECCAK256',
    'HASH_WORD * words(bytes)',
    '(HASH_WORD - 1) * words(bytes)',
  ),
  'a cold slot costs 2000': mutant('gas-costs.COLD_SLOT', '2100', '2000'),
  'to look at a cold account costs 2500': mutant(
    'instructions/accounts.accessCost',
    'price(P.COLD_ACCOUNT)',
    'price(P.COLD_ACCOUNT) - 100',
  ),
  'to call a cold account costs 2500': mutant(
    'frames/calls.call',
    'warm(target) ? price(P.COLD_ACCOUNT) : WARM',
    'warm(target) ? price(P.COLD_ACCOUNT) - 100 : WARM',
  ),
  'a slot is set for the price of Istanbul': mutant(
    'instructions/storage.meterStore',
    'return price(P.SLOT_SET);',
    'return price(P.SLOT_SET) + 800;',
  ),
  'clearing is refunded as before London': mutant(
    'instructions/storage.meterStore',
    'if (isZero(value)) addRefund(price(P.CLEARS));\n    return',
    'if (isZero(value)) addRefund(15_000);\n    return',
  ),
  'what a slot holds is written for the price of a reset': mutant(
    'instructions/storage.meterStore',
    'if (equal(current, value)) return WARM;',
    '',
  ),
  'a slot written before is reset again': mutant(
    'instructions/storage.meterStore',
    'P.SLOT_RESET) - WARM);\n  return WARM;',
    'P.SLOT_RESET) - WARM);\n  return price(P.SLOT_RESET);',
  ),
  'original is what the slot holds': mutant(
    'instructions/storage.meterStore',
    'const original = entry + SLOT_BASE;',
    'const original = entry + SLOT_VALUE;',
  ),
  'writing to a cold slot costs no access': mutant(
    'instructions/storage.SSTORE',
    'if (warmSlot(entry)) cost += price(P.COLD_STORE);',
    'warmSlot(entry);',
  ),
  'SLOAD leaves its slot cold': mutant('instructions/storage.SLOAD', 'if (isCold) warmSlot(entry);', ''),
  'looking at an account leaves it cold': mutant('instructions/accounts.BALANCE', 'paid(entry);', ''),
  'EXTCODECOPY leaves an account cold': mutant('instructions/accounts.EXTCODECOPY', 'if (left >= 0) paid(entry);', ''),
  'EXTCODECOPY warms what it cannot pay': mutant(
    'instructions/accounts.EXTCODECOPY',
    'if (left >= 0) paid(entry);',
    'paid(entry);',
  ),
  'a new account costs a gas less': mutant(
    'frames/calls.call',
    'price(P.CALLED_ACCOUNT)',
    'price(P.CALLED_ACCOUNT) - 1',
  ),
  'the stipend is not paid for': mutant(
    'frames/calls.call',
    'price(P.VALUE_TRANSFER)',
    'price(P.VALUE_TRANSFER) - STIPEND',
  ),
  'memory of a creation is free': mutant(
    'frames/creations.create',
    'memoryGas(memoryEnd) - memoryGas(memoryBytes)',
    '0',
  ),
  'memory of what is given back is free': mutant('interpreter.RETURN', 'gas -= cost;', ''),
  'words of init code are rounded down': mutant(
    'frames/creations.create',
    'INITCODE_WORD * words(bytes)',
    'INITCODE_WORD * <i64>(bytes >> 5)',
  ),
  'SHA-256 costs 11 a word': mutant('frames/precompiles.runPrecompile', '60 + 12 * words', '60 + 11 * words'),
  'a cold heir is free': mutant(
    'state/destruction.destroy',
    'if (warm(heir)) cost += price(P.COLD_ACCOUNT);',
    'warm(heir);',
  ),
  'a call that is refused keeps its stipend': mutant(
    'frames/calls.call',
    'return refuse(given + stipend,',
    'return refuse(given,',
  ),
  'a call that is refused keeps its gas': mutant(
    'frames/frame-entry.refuse',
    'store<i64>(frame, load<i64>(frame, F.GAS) + gas, F.GAS);',
    '',
  ),
  'gas of a deposit that fails comes back': mutant(
    'frames/frame-return.deposit',
    'setError(reason);\n    return fail(ending, 0);',
    'setError(reason);\n    return fail(ending, gas);',
  ),
  'a creation where somebody is costs nothing': mutant(
    'frames/creations.begin',
    'return fail(next, 0);',
    'return fail(next, gas);',
  ),
  'a precompile that fails gives gas back': mutant(
    'frames/precompiles.finishPrecompile',
    'return fail(next, 0);',
    'return fail(next, load<i64>(next, F.GAS));',
  ),
  'the sender is cold': mutant('kernel.run', 'warm(sender);', ''),
  'the receiver is cold': mutant('kernel.run', 'warm(target);', ''),
  'the fee recipient is cold': mutant('kernel.run', 'warm(coinbase);', ''),
  'nothing is paid upfront': mutant('kernel.run', 'if ((flags & FLAG_PAYS) != 0) payUpfront', 'if (false) payUpfront'),
  'what is paid upfront is not taken': mutant(
    'state/accounts.payUpfront',
    'subtract(sender + A.BALANCE, sender + A.BALANCE, wei);',
    '',
  ),
  "the payer's nonce stays": mutant(
    'state/accounts.payUpfront',
    'load<u64>(sender, A.NONCE) + 1',
    'load<u64>(sender, A.NONCE)',
  ),
  'what was paid upfront is not kept': mutant('state/accounts.payUpfront', 'markDirty(sender);', ''),
  'coinbase and access list are cold': mutant('kernel.warmAccount', 'warm(entry);', ''),
  'slots of the access list are cold': mutant('kernel.warmStorage', 'warmSlot(key);', ''),
  'slots of the access list are cold in what is new': mutant(
    'state/storage.read',
    'if (wasListed(account, key)) store<u32>(entry, WARM, S.SLOT_FLAGS);',
    '',
  ),
  'what was warm stays so for the next message': mutant('state/accounts.reset', 'store<u32>(entry, 0, A.FLAGS);', ''),
  'slots that were warm stay so for the next message': mutant(
    'state/storage.reset',
    'store<u32>(entry, 0, S.SLOT_FLAGS);',
    '',
  ),
};

const NEED: Readonly<Record<string, KernelChange>> = {
  'the inverse of 63/64 is one too high': mutant('frames/frame.inverse', 'gas + (gas - 1) / 63', 'gas + gas / 63'),
  'need of SSTORE is the sentry': mutant(
    'instructions/storage.SSTORE',
    'needsNow(frame, gas, SSTORE_SENTRY + 1)',
    'needsNow(frame, gas, SSTORE_SENTRY)',
  ),
  'need of a child ignores the stipend': mutant(
    'frames/frame-return.finish',
    'need - load<i64>(frame, F.CHILD_STIPEND)',
    'need',
  ),
  'need of a halted child is not raised': mutant(
    'frames/frame-return.finish',
    'base + F.inverse(given)',
    'base + given',
  ),
  'need before a call is forgotten': mutant('frames/frame-entry.expectChild', 'needsNow(frame, left, 0);', ''),
  'need lacks the deposit': mutant(
    'frames/frame-return.deposit',
    'needsNow(ending, left, 0);',
    'needsNow(ending, gas, 0);',
  ),
  'need of a precompile is nothing': mutant(
    'frames/precompiles.finishPrecompile',
    'entryNeed + used : used',
    'entryNeed : 0',
  ),
  'all gas is taken for a fixed amount': mutant(
    'frames/frame-return.finish',
    'given < left - left / 64',
    'given <= left - left / 64',
  ),
  'GAS is sensitive where a call takes it': mutant('code/encode.encode', 'u64(!isCall(', 'u64(isCall('),
  'a call that used up all gas is not sensitive': mutant('frames/frame-return.finish', 'else looksAtGas();', ''),
  'need of a child that reverts is nothing': mutant(
    'frames/frame-return.end',
    'return finish(false, false, gas + spill, load<i64>(ending, F.NEED));',
    'return finish(false, false, gas + spill, 0);',
  ),
  'need is that of the costliest part': mutant('frames/frame-return.end', 'needsNow(ending, gas, 0);', ''),
};

const TAKING_BACK: Readonly<Record<string, KernelChange>> = {
  'a balance taken from': mutant('state/accounts.takeBalance', 'journal.rememberBalance(entry);', ''),
  'a balance added to': mutant('state/accounts.addBalance', 'journal.rememberBalance(entry);', ''),
  'a balance cleared': mutant('state/accounts.clearBalance', 'journal.rememberBalance(entry);', ''),
  'a nonce': mutant('state/accounts.setNonce', 'journal.rememberNonce(entry);', ''),
  'a code': mutant('state/accounts.setCode', 'journal.rememberCode(entry);', ''),
  'a warm account': mutant('state/accounts.warm', 'journal.rememberFlags(entry);', ''),
  'that it was made, destroyed or touched': mutant('state/accounts.mark', 'journal.rememberFlags(entry);', ''),
  'a slot': mutant('state/storage.setSlot', 'journal.rememberSlot(entry);', ''),
  'a warm slot': mutant('state/storage.warmSlot', 'journal.rememberSlotFlags(entry);', ''),
  'transient storage': mutant('state/storage.setTransient', 'journal.rememberTransient(entry);', ''),
  logs: mutant(
    'frames/frame-return.takeBack',
    'logs.revert(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));',
    '',
  ),
  'the oldest first': mutant(
    'state/journal.revert',
    'while (entry > mark) {\n    entry -= JOURNAL_BYTES;\n    restore(entry);\n  }',
    'for (entry = mark; entry < top; entry += JOURNAL_BYTES) restore(entry);',
  ),
};

const FRAMES: Readonly<Record<string, KernelChange>> = {
  'what is called by a static frame may write': mutant(
    'frames/calls.call',
    ': flags & F.STATIC, F.FLAGS',
    ': 0, F.FLAGS',
  ),
  'what is delegated to by a static frame may write': mutant(
    'frames/calls.call',
    ': flags & F.STATIC, F.FLAGS',
    ': isDelegate ? 0 : flags & F.STATIC, F.FLAGS',
  ),
  'a static frame may pay': mutant(
    'frames/calls.call',
    'opcode == op.CALL && pays && (flags & F.STATIC) != 0',
    'false',
  ),
  'a static frame may create': mutant('interpreter.CREATE', 'flags & F.STATIC', 'flags & F.CREATES & F.STATIC'),
  'a static frame may destroy itself': mutant(
    'interpreter.SELFDESTRUCT',
    'flags & F.STATIC',
    'flags & F.CREATES & F.STATIC',
  ),
  'a static frame may log': mutant('interpreter.LOG4', 'flags & F.STATIC', 'flags & F.CREATES & F.STATIC'),
  'one frame too few': mutant('frames/calls.call', '<i32>DEPTH_MAX', '<i32>DEPTH_MAX - 1'),
  'one frame too few for creations': mutant('frames/creations.refusalOf', '<i32>DEPTH_MAX', '<i32>DEPTH_MAX - 1'),
  'one may pay what one has but for one wei': mutant(
    'frames/calls.call',
    '(pays && less(self + A.BALANCE, value))',
    '(pays && !less(value, self + A.BALANCE))',
  ),
  'the caller of delegated code is the delegator': mutant(
    'frames/calls.call',
    'copyAddress(next + F.CALLER, frame + F.CALLER);',
    'copyAddress(next + F.CALLER, self);',
  ),
  'the value of delegated code is none': mutant(
    'frames/calls.call',
    'copy(next + F.VALUE, frame + F.VALUE);',
    'copy(next + F.VALUE, ZERO);',
  ),
  'output is as long as was asked for': mutant(
    'frames/frame-return.finish',
    'min(load<u32>(frame, F.OUT_BYTES), returnBytes)',
    'load<u32>(frame, F.OUT_BYTES)',
  ),
  'a call that is refused leaves return data': mutant('frames/frame-entry.expectChild', 'setReturnBytes(0);', ''),
  'precompiles that fail leave return data': mutant('frames/frame-return.fail', 'setReturnBytes(0);', ''),
  'payers are not touched': mutant('frames/frame-entry.transfer', 'touch(to);', ''),
  'heirs are not touched': mutant('state/destruction.destroy', 'else touch(heir);', ''),
  'a static frame may store': mutant('interpreter.SSTORE', 'flags & F.STATIC', 'flags & F.CREATES & F.STATIC'),
  'a static frame may store for now': mutant('interpreter.TSTORE', 'flags & F.STATIC', 'flags & F.CREATES & F.STATIC'),
  'a static frame may not pay itself': mutant(
    'frames/calls.call',
    'if (opcode == op.CALL && pays && (flags',
    'if (pays && (flags',
  ),
  'STATICCALL is a CALL': mutant('frames/calls.call', 'opcode == op.STATICCALL ? F.STATIC :', 'false ? F.STATIC :'),
  'CALLCODE is a CALL': mutant(
    'frames/calls.call',
    'const keepsSelf = isDelegate || opcode == op.CALLCODE;',
    'const keepsSelf = isDelegate;',
  ),
  'input is the beginning of memory': mutant(
    'frames/calls.call',
    'inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset',
    'memoryStart',
  ),
  'output goes to the beginning of memory': mutant(
    'frames/calls.call',
    'store<u32>(frame, <u32>outOffset, F.OUT);',
    'store<u32>(frame, 0, F.OUT);',
  ),
  'the outermost message may pay what it has not': mutant(
    'frames/calls.callOutermost',
    'if (less(sender + A.BALANCE, next + F.VALUE)) {',
    'if (false) {',
  ),
  'delegations are older than Prague': mutant('frames/calls.call', ' && has(rule.DELEGATION)', ''),
  'outermost delegations are older than Prague': mutant('frames/calls.callOutermost', ' && has(rule.DELEGATION)', ''),
  'what failed is told with an item less': mutant(
    'interpreter.report',
    '(sp + 32 - load<u32>(frame, F.STACK_START)) >> 5',
    '(sp - load<u32>(frame, F.STACK_START)) >> 5',
  ),
};

const CONTRACTS: Readonly<Record<string, KernelChange>> = {
  'every contract goes': mutant(
    'state/destruction.destroy',
    'const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;',
    'const isNew = true;',
  ),
  'no contract goes': mutant(
    'state/destruction.destroy',
    'const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;',
    'const isNew = false;',
  ),
  'its own heir loses its balance': mutant(
    'state/destruction.destroy',
    'if (heir != self || (goes && !has(rule.KEEPS_BALANCE))) clearBalance(self);',
    'clearBalance(self);',
  ),
  'its own heir keeps its balance': mutant(
    'state/destruction.destroy',
    'if (heir != self || (goes && !has(rule.KEEPS_BALANCE))) clearBalance(self);',
    'if (heir != self) clearBalance(self);',
  ),
  'the address is of the next nonce': mutant(
    'frames/creations.create',
    'else numberedAddress(self, nonce);',
    'else numberedAddress(self, nonce + 1);',
  ),
  'nonce 128 is a byte of its own': mutant(
    'frames/creations.numberedAddress',
    'if (nonce >= 0x80) bytes',
    'if (nonce > 0x80) bytes',
  ),
  'nonces of two bytes are one': mutant(
    'frames/creations.numberedAddress',
    '8 - (<u32>clz(nonce) >> 3)',
    '8 - (<u32>(clz(nonce) + 1) >> 3)',
  ),
  'a creator has any nonce': mutant('frames/creations.refusalOf', 'nonce == u64.MAX_VALUE', 'false'),
  'the salt is turned around': mutant(
    'frames/creations.saltedAddress',
    'swap(PREIMAGE + 21, salt);',
    'copy(PREIMAGE + 21, salt);',
  ),
  'code may be one byte longer': mutant(
    'frames/frame-return.depositFailure',
    '> price(P.CODE_MAX)',
    '> price(P.CODE_MAX) + 1',
  ),
  'code may be one byte less long': mutant(
    'frames/frame-return.depositFailure',
    '> price(P.CODE_MAX)',
    '> price(P.CODE_MAX) - 1',
  ),
  'init code may be one byte longer': mutant(
    'frames/creations.create',
    'price(P.INITCODE_MAX)',
    'price(P.INITCODE_MAX) + 1',
  ),
  'init code may be one byte less long': mutant(
    'frames/creations.create',
    'price(P.INITCODE_MAX)',
    'price(P.INITCODE_MAX) - 1',
  ),
  'code may begin with EF': mutant('frames/frame-return.depositFailure', '0xef', '0xee'),
  'a nonce is not in the way': mutant('frames/creations.begin', 'load<u64>(created, A.NONCE) != 0 || ', ''),
  'code is not in the way': mutant('frames/creations.begin', ' || !hasNoCode(created)', ''),
  'storage is not in the way': mutant(
    'frames/creations.begin',
    ' || (has(rule.STORED_COLLIDES) && (load<u32>(created, A.BASE_FLAGS) & A.STORED) != 0)',
    '',
  ),
  'a creation that fails leaves its address cold': mutant(
    'frames/creations.create',
    'warm(created);\n  markFrame(next);',
    'markFrame(next);\n  warm(created);',
  ),
  'contracts begin with nonce 0': mutant('frames/creations.begin', 'setNonce(created, 1);', 'setNonce(created, 0);'),
  'storage of an older contract is seen': mutant(
    'state/storage.ownerOf',
    'return <u64>account | (<u64>load<u32>(account, INCARNATION) << 32);',
    'return <u64>account;',
  ),
  'transient storage is common to all': mutant(
    'state/storage.transient',
    'let at = hash',
    'account = 0;\n  let at = hash',
  ),
  'the next message begins with old storage': mutant(
    'state/storage.keepSlot',
    'copy(entry + S.SLOT_BASE, entry + S.SLOT_VALUE);',
    '',
  ),
  'the next message begins with old balances': mutant(
    'state/accounts.keepAccount',
    'copy(entry + A.BASE_BALANCE, entry + A.BALANCE);',
    '',
  ),
  'the next message begins with old nonces': mutant(
    'state/accounts.keepAccount',
    'store<u64>(entry, load<u64>(entry, A.NONCE), A.BASE_NONCE);\n  store<u32>(entry, load<u32>(entry, A.INCARNATION)',
    'store<u32>(entry, load<u32>(entry, A.INCARNATION)',
  ),
  'the next message begins with old storages': mutant(
    'state/accounts.keepAccount',
    'store<u32>(entry, load<u32>(entry, A.INCARNATION), A.BASE_INCARNATION);',
    '',
  ),
  'what is new is not known to be': mutant('frames/creations.begin', 'mark(created, A.CREATED);', ''),
  'what goes is not told': mutant('state/destruction.destroy', 'if (goes) mark(self, A.DESTROYED);', ''),
  'heirs get nothing': mutant(
    'state/destruction.destroy',
    'if (hasBalance) addBalance(heir, self + A.BALANCE);',
    'if (hasBalance) touch(heir);',
  ),
  'creations do not count': mutant('frames/creations.create', 'setNonce(self, nonce + 1);', ''),
  'what is new gets no value': mutant(
    'frames/creations.begin',
    'if (!isZero(next + F.VALUE) && !transfer(creator, created, next + F.VALUE, true)) {',
    'if (false) {',
  ),
  'init code has input': mutant('frames/creations.begin', 'store<u32>(next, 0, F.INPUT_BYTES);', ''),
  'the address is of whole words of init code': mutant(
    'frames/creations.saltedAddress',
    'keccak256(PREIMAGE + 53, initcode, bytes);',
    'keccak256(PREIMAGE + 53, initcode, bytes & ~31);',
  ),
  'the next message begins with old codes': mutant(
    'state/accounts.keepAccount',
    'copy(entry + A.BASE_CODE_HASH, entry + A.CODE_HASH);',
    '',
  ),
  'transient storage outlives the message': mutant(
    'state/storage.transient',
    'if (<u32>(tagged >> 32) != epoch) break;',
    'if (tagged == 0) break;',
  ),
};

const INSTRUCTIONS: Readonly<Record<string, KernelChange>> = {
  'a block needs an item less': mutant(
    'code/block.move',
    'lowest = min(lowest, height);',
    'lowest = min(lowest, height + 1);',
  ),
  'a block adds an item less': mutant(
    'code/block.move',
    'highest = max(highest, height);',
    'highest = max(highest, height - 1);',
  ),
  'the stack has 1025 items': mutant('interpreter.interpret', 'stackStart + 1023 * 32', 'stackStart + 1024 * 32'),
  'a JUMPDEST begins no block': mutant('code/decode.decodeRun', 'if (!isFresh()) begin(pc);', ''),
  'what is pushed is jumped to': mutant('code/decode.leadsTo', 'return at == target;', 'return true;'),
  'what is pushed is jumped to, far from where an instruction begins': mutant(
    'code/decode.isScannedJumpdest',
    'pc += pushed(opcode);',
    '',
  ),
  'JUMPDESTs behind what was looked at are none': mutant(
    'code/decode.isScannedJumpdest',
    'let pc = load<u32>(code, C.SCANNED);',
    'let pc = load<u32>(code, C.SCANNED) + 1;',
  ),
  'a PUSH reaches a byte less': mutant('code/decode.beginsInstruction', '0x62, 0x61, 0x60', '0x63, 0x62, 0x61'),
  'a far PUSH does not reach': mutant(
    'code/decode.beginsInstruction',
    'v128.load(at - 32), far',
    'v128.load(at - 16), near',
  ),
  'a run goes on at the beginning of the code': mutant(
    'code/decode.decodeRun',
    'emit(op.PUSH_SMALL, pc, pc);',
    'emit(op.PUSH_SMALL, pc, from);',
  ),
  'a run ends with the one that it comes to': mutant(
    'code/decode.decodeRun',
    'emit(op.PUSH_SMALL, pc, pc);\n        emit(op.JUMP, pc, 0);',
    'emit(op.STOP, pc, 0);',
  ),
  'careful mode gives too much gas back': mutant(
    'code/block.staticGasFrom',
    'if (opcode == op.JUMPDEST && at != pc) break;',
    '',
  ),
  'careful mode gives no gas back': mutant('interpreter.interpret', ': <i64>staticGasFrom(code, pc);', ': 0;'),
  'RETURNDATACOPY reads a byte beyond': mutant(
    'instructions/message.COPY',
    'from + bytes > returnBytes',
    'from + bytes > returnBytes + 1',
  ),
  'RETURNDATACOPY of nothing reads anywhere': mutant(
    'instructions/message.COPY',
    'from + bytes > returnBytes',
    'bytes != 0 && from + bytes > returnBytes',
  ),
  'copies leave what was there': mutant(
    'frames/memory.copyOrZeros',
    'if (there < count) memory.fill(to + there, 0, count - there);',
    '',
  ),
  'call data end a byte early': mutant(
    'instructions/message.CALLDATALOAD',
    'if (offset + 32 <= length) {',
    'if (offset + 31 <= length) {',
  ),
  'Keccak-256 of 135 bytes': mutant('hashes/keccak.keccak256', 'load<u8>(LAST_BLOCK, RATE - 1) | 0x80', '0x80'),
  'Keccak-256 of 136 bytes': mutant('hashes/keccak.keccak256', 'length >= RATE', 'length > RATE'),
  'a digest is that of another length': mutant(
    'hashes/keccak-cache.cachedKeccak',
    'load<u32>(row, LENGTH) != length ||',
    '',
  ),
  'a digest is that of another input': mutant(
    'hashes/keccak-cache.cachedKeccak',
    '|| !holds(row, input, length)) fill',
    ') fill',
  ),
  'a digest is that of what ends otherwise': mutant(
    'hashes/keccak-cache.holds',
    'if (at < length) differs |= load<u64>(row + at) ^ lastLimb(input, at, length);',
    '',
  ),
  'what ends an input is a byte short': mutant(
    'hashes/keccak-cache.lastLimb',
    '(64 - (<u64>(length - at) << 3))',
    '(72 - (<u64>(length - at) << 3))',
  ),
  'MCOPY goes upwards': mutant(
    'instructions/memory.MCOPY',
    'memory.copy(at, source, <usize>bytes);',
    'for (let i: usize = 0; i < <usize>bytes; i++) store<u8>(at + i, load<u8>(source + i));',
  ),
  'MCOPY pays for its target only': mutant('interpreter.MCOPY', 'max(offset, from)', 'offset'),
  'MSTORE8 makes memory a byte too long': mutant('interpreter.MSTORE8', 'offset + 1', 'offset + 2'),
  'SIGNEXTEND from byte 30 does nothing': mutant(
    'words/shift.signExtend',
    'const fill = bytes < 31',
    'const fill = bytes < 30',
  ),
  'SIGNEXTEND keeps bits of its limb': mutant(
    'words/shift.signExtend',
    'bits == 64 ? -1 : ((<u64>1) << bits) - 1',
    'bits == 64 ? -1 : ((<u64>1) << (bits + 1)) - 1',
  ),
  'BYTE 31 is zero': mutant('words/shift.byteAt', 'index < 32 ? load<u8>', 'index < 31 ? load<u8>'),
  'SAR is SHR': mutant(
    'words/shift.shiftRightSigned',
    '<u64>(load<i64>(value, 24) >> 63)',
    'load<u64>(value, 24) >> 63',
  ),
  'SHR by whole limbs': mutant(
    'words/shift.shiftRightFilled',
    'store<u64>(out, joinRight(w2, w3, rest), 16);',
    'store<u64>(out, joinRight(w2, w3, rest) | w3 << (64 - rest), 16);',
  ),
  'CLZ adds every limb': mutant('words/shift.leadingZeros', 'if (zeros < 64) break;', ''),
  'SLT is unsigned above 192 bits': mutant(
    'words/word.lessSigned',
    'const a3 = load<i64>(a, 24);\n  const b3 = load<i64>(b, 24);',
    'const a3 = load<u64>(a, 24);\n  const b3 = load<u64>(b, 24);',
  ),
  'a product lacks a carry': mutant('words/arithmetic.multiply', '+ <u64>(s4 < s3)', ''),
  'ADDMOD lacks the 257th bit': mutant(
    'words/arithmetic.addModulo',
    'if (load<u64>(SUM, 32) != 0 || !isLess(SUM, m))',
    'if (!isLess(SUM, m))',
  ),
  'BLOCKHASH reaches 257 back': mutant('instructions/block.BLOCKHASH', 'distance - 1 >= 256', 'distance - 1 > 256'),
  'BLOBHASH has one more': mutant(
    'instructions/block.BLOBHASH',
    'if (index < load<u32>(MESSAGE, MESSAGE_BLOBS))',
    'if (index <= load<u32>(MESSAGE, MESSAGE_BLOBS))',
  ),
  'the last topic comes first': mutant(
    'state/logs.add',
    'topic - (<usize>i << 5)',
    'topic - (<usize>(topics - 1 - i) << 5)',
  ),
  'EXTCODEHASH of the empty': mutant(
    'instructions/accounts.EXTCODEHASH',
    'if (isEmpty(entry)) zero(sp);',
    'if (false) zero(sp);',
  ),
  'addresses have 21 bytes': mutant(
    'words/word.fromAddress',
    'store<u64>(out, bswap<u64>(load<u64>(address, 12)));',
    'store<u64>(out, bswap<u64>(load<u64>(address, 12)) & ~1);',
  ),
  'ORIGIN is the caller': mutant('instructions/message.ORIGIN', 'MESSAGE + MESSAGE_CALLER', 'frame + F.CALLER'),
  'GASPRICE is the value': mutant('instructions/message.GASPRICE', 'MESSAGE + MESSAGE_GAS_PRICE', 'frame + F.VALUE'),
  'BASEFEE is that of blobs': mutant('instructions/block.BASEFEE', 'ENV_BASE_FEE', 'ENV_BLOB_BASE_FEE'),
  'BLOBBASEFEE is that of gas': mutant('instructions/block.BLOBBASEFEE', 'ENV_BLOB_BASE_FEE', 'ENV_BASE_FEE'),
  'PREVRANDAO has 192 bits': mutant(
    'instructions/block.PREVRANDAO',
    'ENV_RANDAO);',
    'ENV_RANDAO); store<u64>(sp + 32, 0, 24);',
  ),
  'GASLIMIT is the time': mutant('instructions/block.GASLIMIT', 'ENV_GAS_LIMIT', 'ENV_TIMESTAMP'),
  'COINBASE is of PREVRANDAO': mutant('instructions/block.COINBASE', 'ENV_COINBASE', 'ENV_RANDAO'),
  'SELFBALANCE is the nonce': mutant(
    'instructions/accounts.SELFBALANCE',
    'copy(sp + 32, self + A.BALANCE)',
    'setU64(sp + 32, load<u64>(self, A.NONCE))',
  ),
  'CHAINID is 1': mutant('instructions/block.CHAINID', 'copy(sp + 32, ENV + ENV_CHAIN_ID)', 'setU64(sp + 32, 1)'),
  'BLOCKHASH looks at 64 bits': mutant(
    'instructions/block.BLOCKHASH',
    'if (rest != 0 || number > current',
    'if (number > current',
  ),
  'BLOCKHASH counts back beyond the first block': mutant('instructions/block.BLOCKHASH', 'number > current ||', ''),
  'JUMP looks at 64 bits': mutant('instructions/control.JUMP', 'size(sp)', 'load<u64>(sp)'),
  'JUMPI looks at 64 bits': mutant('instructions/control.JUMPI', 'isZero(sp - 32)', 'load<u64>(sp - 32) == 0'),
  'MSTORE looks at 64 bits': mutant('interpreter.MSTORE', 'size(sp)', 'load<u64>(sp)'),
  'shifts look at 64 bits': mutant('words/shift.amount', 'return high == 0 && low < 256', 'return low < 256'),
  'CLZ of a limb of zeros goes no further': mutant('words/shift.leadingZeros', 'if (zeros < 64) break;', 'break;'),
  'the last byte of a log is lost': mutant(
    'state/logs.add',
    'memory.copy(at, data, length)',
    'memory.copy(at, data, length - 1)',
  ),
  'SHA-256 of 56 bytes': mutant(
    'hashes/sha256.finish',
    'count + 1 + LENGTH_BYTES > BLOCK',
    'count + LENGTH_BYTES > BLOCK',
  ),
  'SHA-256 counts bytes': mutant('hashes/sha256.finish', 'bswap<u64>(<u64>length << 3)', 'bswap<u64>(<u64>length)'),
};

/** Reads of an execution, and its moves of ether as logs. */
const TRACES: Readonly<Record<string, KernelChange>> = {
  'a failed frame has read nothing': mutant(
    'state/journal.restore',
    'load<u32>(target, A.FLAGS) & A.STAYING',
    'load<u32>(target, A.FLAGS) & (A.STAYING ^ A.REACHED)',
  ),
  'a failed frame has read no slot': mutant(
    'state/journal.restore',
    'load<u32>(target, SLOT_FLAGS) & A.STAYING',
    'load<u32>(target, SLOT_FLAGS) & (A.STAYING ^ A.REACHED)',
  ),
  'a callee is not read': mutant('frames/calls.call', 'reach(target);', ''),
  'an heir is not read': mutant('state/destruction.destroy', 'reach(heir);', ''),
  'BALANCE reads nothing': mutant('instructions/accounts.paid', 'name(entry);', ''),
  'a slot that is read is not noted': mutant('instructions/storage.SLOAD', 'nameSlot(entry);', ''),
  'a slot that is written is not noted': mutant('instructions/storage.SSTORE', 'nameSlot(entry);', ''),
  'reads of an earlier message count': mutant('state/accounts.beginEpoch', 'seen = 0;', ''),
  'a block that cannot be paid for reads nothing': mutant(
    'interpreter.interpret',
    'depth == 0 || traced',
    'depth == 0',
  ),
  'what cannot be paid for is not named': mutant(
    'interpreter.interpret',
    'namesUnpaid && !nameFailed(',
    'false && !nameFailed(',
  ),
  'a call that fails names its gas': mutant('names.nameFailed', 'nameAccount(sp - 32)', 'nameAccount(sp)'),
  'a call with two items names an account': mutant('names.nameFailed', 'items < 5', 'items < 2'),
  'an heir that cannot be paid for is not named': mutant('names.nameFailed', 'case op.SELFDESTRUCT:', ''),
  'a slot that cannot be paid for is not named': mutant('names.nameSlot', 'if (entry != 0) reachSlot(entry);', ''),
  'a refused call is no part of the tree': mutant('frames/frame-entry.refuse', 'endsFrame(depth, status.REFUSED);', ''),
  'a revert is a halt in the tree': mutant(
    'frames/frame-return.finish',
    'endsFrame(depth, how);',
    'endsFrame(depth, succeeded ? 0 : 2);',
  ),
  'depths are no part of the tree': mutant('execution.endsFrame', '((depth + 1) << 5)', '32'),
  'a move to oneself is not logged': mutant(
    'frames/frame-entry.transfer',
    'if (isLogged) logs.transfer(from, to, value);\n  if (from == to) return true;',
    'if (from == to) return true;\n  if (isLogged) logs.transfer(from, to, value);',
  ),
  'CALLCODE logs a move of ether': mutant('frames/calls.call', 'next + F.VALUE, !keepsSelf)', 'next + F.VALUE, true)'),
  'a refused call has made no log of its value': mutant(
    'frames/calls.call',
    'if (opcode == op.CALL) logs.skipTransfer(value);',
    '',
  ),
  'a refused creation has made no log of its value': mutant('frames/creations.create', 'logs.skipTransfer(sp);', ''),
  'a creation at a taken address has made no log of its value': mutant(
    'frames/creations.begin',
    'logs.skipTransfer(next + F.VALUE);',
    '',
  ),
  'a move is logged without its receiver': mutant('state/logs.transfer', 'copyAddress(topics + 76, to);', ''),
  'SELFDESTRUCT moves ether without a log': mutant(
    'state/destruction.destroy',
    'if (hasBalance) logs.transfer(self, heir, self + A.BALANCE);',
    '',
  ),
  'moves of ether are always logged': mutant(
    'state/logs.transfer',
    'if (!ofEther || (byRule && from == to)) return;',
    '',
  ),
};

/** What tracers are told. */
const HOOKS: Readonly<Record<string, KernelChange>> = {
  'a log is not told': mutant('state/logs.commit', 'hooks.logs(top);', ''),
  'a frame is told without its stipend': mutant('frames/calls.call', 'inBytes, given + stipend)', 'inBytes, given)'),
  'the stipend is told as used': mutant('hooks.left', ' + load<i64>(frame, F.CHILD_STIPEND)', ''),
  'a DELEGATECALL is told without a value': mutant(
    'frames/calls.call',
    'isDelegate ? frame + F.VALUE : value',
    'value',
  ),
  'an empty input is told from its offset': mutant(
    'frames/calls.call',
    'isDelegate ? frame + F.VALUE : value, input',
    'isDelegate ? frame + F.VALUE : value, memoryStart',
  ),
  'a self-destruct is not told': mutant(
    'state/destruction.destroy',
    'enters(op.SELFDESTRUCT, self, heir, self + A.BALANCE, 0, 0, 0);',
    '',
  ),
  'an older failure is told of a frame without code': mutant(
    'hooks.entered',
    'store<u32>(RESULT, 0, RESULT_OPCODE);',
    '',
  ),
  'inner failures are told without their instruction': mutant(
    'interpreter.interpret',
    'depth == 0 || hooked',
    'depth == 0',
  ),
  'a frame that is traced is not run again': mutant('execution.setTraced', ' || isHooked', ''),
  'a refused call is told as too deep': mutant(
    'frames/calls.call',
    'isDeep ? status.TOO_DEEP : status.INSUFFICIENT_BALANCE',
    'status.TOO_DEEP',
  ),
  'a refused creation names nothing': mutant('frames/creations.create', 'refusal == 0 || hooked', 'refusal == 0'),
  'a refused creation is told from Amsterdam on': mutant(
    'frames/creations.create',
    'const isFrame = !has(rule.STATE_GAS);',
    'const isFrame = true;',
  ),
  'code of an inner creation is not told': mutant('frames/frame-return.deposit', 'depth < 0 || hooked;', 'depth < 0;'),
  'an inner creation returns its code': mutant('frames/frame-return.finishCreated', 'setReturnBytes(0);', ''),
  'a slot that cannot be paid for is told': mutant(
    'instructions/storage.SSTORE',
    'reachSlot(entry);',
    'nameSlot(entry);',
  ),
  'BALANCE is not told': mutant('state/accounts.name', ' | A.NAMED', ''),
  'SLOAD is not told': mutant('state/storage.nameSlot', ' | NAMED', ''),
  'a failed frame has named nothing': mutant('shared/account-fields.STAYING', ' | NAMED', ''),
};

const COMPILED: Readonly<Record<string, KernelChange>> = {
  'compiled blocks do not tell how long memory is': mutant(
    'interpreter.COMPILED',
    'memoryBytes = load<u32>(COMPILED_MEMORY_BYTES);',
    '',
  ),
  'compiled blocks do not tell where the stack ends': mutant(
    'interpreter.COMPILED',
    'sp = <usize>load<u32>(COMPILED_SP);',
    '',
  ),
  'what compiled blocks do not use up is lost': mutant(
    'interpreter.COMPILED',
    'const used = given - load<i64>(COMPILED_GAS);',
    'const used = given;',
  ),
  'compiled blocks hash memory that is not there': mutant('code/compiled.KECCAK256', 'bytes != 0 &&', 'bytes == 1 &&'),
  'compiled blocks read the slots of the caller': mutant('code/compiled.self', 'frame, F.SELF', 'frame - 256, F.SELF'),
};

/** By what they make of the kernel. */
export const KERNEL_MUTANTS: Readonly<Record<string, KernelChange>> = {
  ...GAS,
  ...NEED,
  ...Object.fromEntries(Object.entries(TAKING_BACK).map(([name, bug]) => [`not taken back: ${name}`, bug])),
  ...FRAMES,
  ...CONTRACTS,
  ...INSTRUCTIONS,
  ...TRACES,
  ...Object.fromEntries(Object.entries(HOOKS).map(([name, bug]) => [`told: ${name}`, bug])),
  ...COMPILED,
  ...Object.fromEntries(Object.entries(AMSTERDAM_MUTANTS).map(([name, bug]) => [`Amsterdam: ${name}`, bug])),
};
