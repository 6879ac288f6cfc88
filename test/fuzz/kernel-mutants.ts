// Mutants of the kernel: bugs in its sources, each a change of one line at most. Does a fuzzer detect them? A mutant is
// located by a function, constant or interpreter case, and by text that occurs there once.
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
  'memory of a call is free': mutant(
    'frames/calls.executeCall',
    'memoryGas(memoryEnd) - memoryGas(memoryBytes)',
    '<i64>0',
  ),
  'memory of a copy is free': mutant('frames/memory.memoryExpansionCost', '? cost : -1', '? cost & ~3 : -1'),
  'a 63rd is kept back by calls': mutant(
    'frames/calls.executeCall',
    'min(gasAmount(sp), left - left / 64)',
    'min(gasAmount(sp), left - left / 63)',
  ),
  'a 63rd is kept back by creations': mutant('frames/creations.give', 'left - left / 64', 'left - left / 63'),
  'the stipend is one less': mutant('dynamic-gas-costs.CALL_STIPEND_GAS', '2300', '2299'),
  'CALLCODE pays for new accounts': mutant(
    'frames/calls.executeCall',
    'pays && opcode == op.CALL && isEmpty(target)',
    'pays && isEmpty(target)',
  ),
  'an account without balance is new': mutant(
    'frames/calls.executeCall',
    'opcode == op.CALL && isEmpty(target)',
    'opcode == op.CALL && isZero(target + A.BALANCE)',
  ),
  'a delegation is warm': mutant(
    'frames/calls.executeCall',
    'cost += warmAccountEntryIfCold(delegate) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;',
    'cost += WARM_ACCESS_GAS;',
  ),
  'a delegation stays cold': mutant(
    'frames/calls.executeCall',
    'cost += warmAccountEntryIfCold(delegate) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;',
    'cost += load<u32>(delegate, A.FLAGS) & A.WARM ? WARM_ACCESS_GAS : forkPrice(P.COLD_ACCOUNT);',
  ),
  'the outermost delegation stays cold': mutant(
    'frames/calls.startOutermostCall',
    'resolution = warmAccountEntryIfCold(delegate) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS;',
    'resolution = forkPrice(P.COLD_ACCOUNT);',
  ),
  'init code is free': mutant(
    'frames/creations.executeCreate',
    'if (limited) cost += INITCODE_WORD_GAS * wordCount(bytes);',
    '',
  ),
  'the hash of CREATE2 is free': mutant(
    'frames/creations.executeCreate',
    'if (salted) cost += KECCAK_WORD_GAS * wordCount(bytes);',
    '',
  ),
  'a byte of code costs 199': mutant(
    'frames/frame-return.deposit',
    'forkPrice(P.CODE_BYTE) * <i64>bytes',
    '(forkPrice(P.CODE_BYTE) - 1) * <i64>bytes',
  ),
  'identity rounds down': mutant(
    'frames/precompiles.runPrecompile',
    'const cost = 15 + 3 * wordCount(bytes);',
    'const cost = 15 + 3 * <i64>(bytes >> 5);',
  ),
  'SELFDESTRUCT to an empty heir always costs': mutant(
    'state/selfdestruct.selfDestruct',
    'hasBalance && isEmpty(beneficiary);',
    'isEmpty(beneficiary);',
  ),
  'EXP counts bits of bytes': mutant(
    'words/arithmetic.byteLength',
    '<u32>at + 8 - (<u32>clz(limb) >> 3)',
    '<u32>at + 8 - (<u32>(clz(limb) + 1) >> 3)',
  ),
  'the sentry lets 2300 through': mutant(
    'instructions/storage.SSTORE',
    'gas <= SSTORE_SENTRY_GAS',
    'gas < SSTORE_SENTRY_GAS',
  ),
  'a slot is reset at the price of a cold one': mutant(
    'instructions/storage.meterStore',
    'return forkPrice(P.SLOT_RESET);',
    'return forkPrice(P.SLOT_RESET) + COLD_SLOAD_GAS;',
  ),
  'clearing twice is refunded once': mutant(
    'instructions/storage.meterStore',
    'addRefund(-forkPrice(P.SLOT_CLEAR_REFUND))',
    'addRefund(0)',
  ),
  'clearing a changed slot is not refunded': mutant(
    'instructions/storage.meterStore',
    'else if (isZero(value)) addRefund(forkPrice(P.SLOT_CLEAR_REFUND));',
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
  'a block lacks its JUMPDEST': mutant(
    'code/decode.decodeAt',
    'countInstruction(row);',
    'if (opcode != op.JUMPDEST) countInstruction(row);',
  ),
  'precompiles are cold': mutant(
    'state/accounts.warmAccountEntryIfCold',
    'if (isAlwaysWarm(entry)) return false;\n  journal',
    'journal',
  ),
  'a byte of an exponent costs 49': mutant('dynamic-gas-costs.EXP_BYTE_GAS', '50', '49'),
  'a byte of a log costs 7': mutant('dynamic-gas-costs.LOG_DATA_BYTE_GAS', '8', '7'),
  'a word to be hashed costs 5': mutant(
    'instructions/memory.KECCAK256',
    'KECCAK_WORD_GAS * wordCount(bytes)',
    '(KECCAK_WORD_GAS - 1) * wordCount(bytes)',
  ),
  'a cold slot costs 2000': mutant('dynamic-gas-costs.COLD_SLOAD_GAS', '2100', '2000'),
  'to look at a cold account costs 2500': mutant(
    'instructions/accounts.accessCost',
    'forkPrice(P.COLD_ACCOUNT)',
    'forkPrice(P.COLD_ACCOUNT) - 100',
  ),
  'to call a cold account costs 2500': mutant(
    'frames/calls.executeCall',
    'warmAccountEntryIfCold(target) ? forkPrice(P.COLD_ACCOUNT) : WARM_ACCESS_GAS',
    'warmAccountEntryIfCold(target) ? forkPrice(P.COLD_ACCOUNT) - 100 : WARM_ACCESS_GAS',
  ),
  'a slot is set for the price of Istanbul': mutant(
    'instructions/storage.meterStore',
    'return forkPrice(P.SLOT_SET);',
    'return forkPrice(P.SLOT_SET) + 800;',
  ),
  'clearing is refunded as before London': mutant(
    'instructions/storage.meterStore',
    'if (isZero(value)) addRefund(forkPrice(P.SLOT_CLEAR_REFUND));\n    return',
    'if (isZero(value)) addRefund(15_000);\n    return',
  ),
  'what a slot holds is written for the price of a reset': mutant(
    'instructions/storage.meterStore',
    'if (equal(current, value)) return WARM_ACCESS_GAS;',
    '',
  ),
  'a slot written before is reset again': mutant(
    'instructions/storage.meterStore',
    'P.SLOT_RESET) - WARM_ACCESS_GAS);\n  return WARM_ACCESS_GAS;',
    'P.SLOT_RESET) - WARM_ACCESS_GAS);\n  return forkPrice(P.SLOT_RESET);',
  ),
  'original is what the slot holds': mutant(
    'instructions/storage.meterStore',
    'const original = entry + SLOT_BASE;',
    'const original = entry + SLOT_VALUE;',
  ),
  'writing to a cold slot costs no access': mutant(
    'instructions/storage.SSTORE',
    'if (warmSlotIfCold(entry)) cost += forkPrice(P.COLD_STORE);',
    'warmSlotIfCold(entry);',
  ),
  'SLOAD leaves its slot cold': mutant('instructions/storage.SLOAD', 'if (isCold) warmSlotIfCold(entry);', ''),
  'looking at an account leaves it cold': mutant('instructions/accounts.BALANCE', 'paid(entry);', ''),
  'EXTCODECOPY leaves an account cold': mutant('instructions/accounts.EXTCODECOPY', 'if (left >= 0) paid(entry);', ''),
  'EXTCODECOPY warms what it cannot pay': mutant(
    'instructions/accounts.EXTCODECOPY',
    'if (left >= 0) paid(entry);',
    'paid(entry);',
  ),
  'a new account costs a gas less': mutant(
    'frames/calls.executeCall',
    'forkPrice(P.CALL_EMPTY_ACCOUNT)',
    'forkPrice(P.CALL_EMPTY_ACCOUNT) - 1',
  ),
  'the stipend is not paid for': mutant(
    'frames/calls.executeCall',
    'forkPrice(P.VALUE_TRANSFER)',
    'forkPrice(P.VALUE_TRANSFER) - CALL_STIPEND_GAS',
  ),
  'memory of a creation is free': mutant(
    'frames/creations.executeCreate',
    'memoryGas(memoryEnd) - memoryGas(memoryBytes)',
    '<i64>0',
  ),
  'memory of what is given back is free': mutant('interpreter.RETURN', 'gas -= cost;', ''),
  'words of init code are rounded down': mutant(
    'frames/creations.executeCreate',
    'INITCODE_WORD_GAS * wordCount(bytes)',
    'INITCODE_WORD_GAS * <i64>(bytes >> 5)',
  ),
  'SHA-256 costs 11 a word': mutant('frames/precompiles.runPrecompile', '60 + 12 * wordCount', '60 + 11 * wordCount'),
  'a cold heir is free': mutant(
    'state/selfdestruct.selfDestruct',
    'if (warmAccountEntryIfCold(beneficiary)) cost += forkPrice(P.COLD_ACCOUNT);',
    'warmAccountEntryIfCold(beneficiary);',
  ),
  'a call that is refused keeps its stipend': mutant(
    'frames/calls.executeCall',
    'return refuseChildFrame(given + stipend,',
    'return refuseChildFrame(given,',
  ),
  'a call that is refused keeps its gas': mutant(
    'frames/frame-entry.refuseChildFrame',
    'store<i64>(runningFrame, load<i64>(runningFrame, F.GAS_LEFT) + gas, F.GAS_LEFT);',
    '',
  ),
  'gas of a deposit that fails comes back': mutant(
    'frames/frame-return.deposit',
    'setHaltReason(reason);\n    return failChildFrame(ending, 0);',
    'setHaltReason(reason);\n    return failChildFrame(ending, gas);',
  ),
  'a creation where somebody is costs nothing': mutant(
    'frames/creations.begin',
    'return failChildFrame(next, 0);',
    'return failChildFrame(next, gas);',
  ),
  'a precompile that fails gives gas back': mutant(
    'frames/precompiles.finishPrecompile',
    'return failChildFrame(next, 0);',
    'return failChildFrame(next, load<i64>(next, F.GAS_LEFT));',
  ),
  'the sender is cold': mutant('kernel.runMessage', 'warmAccountEntryIfCold(sender);', ''),
  'the receiver is cold': mutant('kernel.runMessage', 'warmAccountEntryIfCold(target);', ''),
  'the fee recipient is cold': mutant('kernel.runMessage', 'warmAccountEntryIfCold(coinbase);', ''),
  'nothing is paid upfront': mutant(
    'kernel.runMessage',
    'if ((flags & FLAG_PAYS) != 0) payUpfrontAndRaiseNonce',
    'if (false) payUpfrontAndRaiseNonce',
  ),
  'what is paid upfront is not taken': mutant(
    'state/accounts.payUpfrontAndRaiseNonce',
    'subtract(sender + A.BALANCE, sender + A.BALANCE, wei);',
    '',
  ),
  "the payer's nonce stays": mutant(
    'state/accounts.payUpfrontAndRaiseNonce',
    'load<u64>(sender, A.NONCE) + 1',
    'load<u64>(sender, A.NONCE)',
  ),
  'what was paid upfront is not kept': mutant('state/accounts.payUpfrontAndRaiseNonce', 'markDirty(sender);', ''),
  'coinbase and access list are cold': mutant('kernel.warmAccount', 'warmAccountEntryIfCold(entry);', ''),
  'slots of the access list are cold': mutant('kernel.warmStorage', 'warmSlotIfCold(key);', ''),
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
  'the inverse of 63/64 is one too high': mutant(
    'frames/frame.gasBeforeSixtyFourth',
    'gas + (gas - 1) / 63',
    'gas + gas / 63',
  ),
  'need of SSTORE is the sentry': mutant(
    'instructions/storage.SSTORE',
    'raiseMinimumGasNow(runningFrame, gas, SSTORE_SENTRY_GAS + 1)',
    'raiseMinimumGasNow(runningFrame, gas, SSTORE_SENTRY_GAS)',
  ),
  'need of a child ignores the stipend': mutant(
    'frames/frame-return.resumeCaller',
    'need - load<i64>(runningFrame, F.CHILD_STIPEND)',
    'need',
  ),
  'need of a halted child is not raised': mutant(
    'frames/frame-return.resumeCaller',
    'base + F.gasBeforeSixtyFourth(given)',
    'base + given',
  ),
  'need before a call is forgotten': mutant(
    'frames/frame-entry.recordGasGivenToChild',
    'raiseMinimumGasNow(runningFrame, left, 0);',
    '',
  ),
  'need lacks the deposit': mutant(
    'frames/frame-return.deposit',
    'raiseMinimumGasNow(ending, left, 0);',
    'raiseMinimumGasNow(ending, gas, 0);',
  ),
  'need of a precompile is nothing': mutant(
    'frames/precompiles.finishPrecompile',
    'gasBeforeOutermostFrame + used : used',
    'gasBeforeOutermostFrame : 0',
  ),
  'all gas is taken for a fixed amount': mutant(
    'frames/frame-return.resumeCaller',
    'given < left - left / 64',
    'given <= left - left / 64',
  ),
  'GAS is sensitive where a call takes it': mutant('code/encode.encodeInstruction', 'u64(!isCall(', 'u64(isCall('),
  'a call that used up all gas is not sensitive': mutant(
    'frames/frame-return.resumeCaller',
    'else markGasSensitive();',
    '',
  ),
  'need of a child that reverts is nothing': mutant(
    'frames/frame-return.endFrameWithStatus',
    'return resumeCaller(false, false, gas + spill, load<i64>(ending, F.MINIMUM_START_GAS));',
    'return resumeCaller(false, false, gas + spill, 0);',
  ),
  'need is that of the costliest part': mutant(
    'frames/frame-return.endFrameWithStatus',
    'raiseMinimumGasNow(ending, gas, 0);',
    '',
  ),
};

const TAKING_BACK: Readonly<Record<string, KernelChange>> = {
  'a balance taken from': mutant('state/accounts.subtractBalance', 'journal.journalBalance(entry);', ''),
  'a balance added to': mutant('state/accounts.addBalance', 'journal.journalBalance(entry);', ''),
  'a balance cleared': mutant('state/accounts.clearBalance', 'journal.journalBalance(entry);', ''),
  'a nonce': mutant('state/accounts.setNonce', 'journal.journalNonce(entry);', ''),
  'a code': mutant('state/accounts.setCode', 'journal.journalCode(entry);', ''),
  'a warm account': mutant('state/accounts.warmAccountEntryIfCold', 'journal.journalFlags(entry);', ''),
  'that it was made, destroyed or touched': mutant(
    'state/accounts.markAccountFlag',
    'journal.journalFlags(entry);',
    '',
  ),
  'a slot': mutant('state/storage.setSlot', 'journal.journalSlot(entry);', ''),
  'a warm slot': mutant('state/storage.warmSlotIfCold', 'journal.journalSlotFlags(entry);', ''),
  'transient storage': mutant('state/storage.setTransient', 'journal.journalTransient(entry);', ''),
  logs: mutant(
    'frames/frame-return.takeBack',
    'logs.revertLogs(<usize>load<u32>(failed, F.LOGS_MARK), load<u32>(failed, F.LOG_COUNT_MARK));',
    '',
  ),
  'the oldest first': mutant(
    'state/journal.revertJournal',
    'while (entry > mark) {\n    entry -= JOURNAL_ENTRY_BYTES;\n    restore(entry);\n  }',
    'for (entry = mark; entry < journalTop; entry += JOURNAL_ENTRY_BYTES) restore(entry);',
  ),
};

const FRAMES: Readonly<Record<string, KernelChange>> = {
  'what is called by a static frame may write': mutant(
    'frames/calls.executeCall',
    ': flags & F.STATIC_FLAG, F.FLAGS',
    ': 0, F.FLAGS',
  ),
  'what is delegated to by a static frame may write': mutant(
    'frames/calls.executeCall',
    ': flags & F.STATIC_FLAG, F.FLAGS',
    ': isDelegate ? 0 : flags & F.STATIC_FLAG, F.FLAGS',
  ),
  'a static frame may pay': mutant(
    'frames/calls.executeCall',
    'opcode == op.CALL && pays && (flags & F.STATIC_FLAG) != 0',
    'false',
  ),
  'a static frame may create': mutant(
    'interpreter.CREATE',
    'flags & F.STATIC_FLAG',
    'flags & F.CREATION_FLAG & F.STATIC_FLAG',
  ),
  'a static frame may destroy itself': mutant(
    'interpreter.SELFDESTRUCT',
    'flags & F.STATIC_FLAG',
    'flags & F.CREATION_FLAG & F.STATIC_FLAG',
  ),
  'a static frame may log': mutant(
    'interpreter.LOG4',
    'flags & F.STATIC_FLAG',
    'flags & F.CREATION_FLAG & F.STATIC_FLAG',
  ),
  'one frame too few': mutant('frames/calls.executeCall', '<i32>DEPTH_MAX', '<i32>DEPTH_MAX - 1'),
  'one frame too few for creations': mutant('frames/creations.refusalOf', '<i32>DEPTH_MAX', '<i32>DEPTH_MAX - 1'),
  'one may pay what one has but for one wei': mutant(
    'frames/calls.executeCall',
    '(pays && less(self + A.BALANCE, value))',
    '(pays && !less(value, self + A.BALANCE))',
  ),
  'the caller of delegated code is the delegator': mutant(
    'frames/calls.executeCall',
    'copyAddress(next + F.CALLER, runningFrame + F.CALLER);',
    'copyAddress(next + F.CALLER, self);',
  ),
  'the value of delegated code is none': mutant(
    'frames/calls.executeCall',
    'copy(next + F.VALUE, runningFrame + F.VALUE);',
    'copy(next + F.VALUE, ZERO_WORD_ADDRESS);',
  ),
  'output is as long as was asked for': mutant(
    'frames/frame-return.resumeCaller',
    'min(load<u32>(runningFrame, F.RET_SIZE), returnDataLength)',
    'load<u32>(runningFrame, F.RET_SIZE)',
  ),
  'a call that is refused leaves return data': mutant(
    'frames/frame-entry.recordGasGivenToChild',
    'setReturnDataLength(0);',
    '',
  ),
  'precompiles that fail leave return data': mutant(
    'frames/frame-return.failChildFrame',
    'setReturnDataLength(0);',
    '',
  ),
  'payers are not touched': mutant('frames/frame-entry.transferValue', 'touchIfEmpty(to);', ''),
  'heirs are not touched': mutant('state/selfdestruct.selfDestruct', 'else touchIfEmpty(beneficiary);', ''),
  'a static frame may store': mutant(
    'interpreter.SSTORE',
    'flags & F.STATIC_FLAG',
    'flags & F.CREATION_FLAG & F.STATIC_FLAG',
  ),
  'a static frame may store for now': mutant(
    'interpreter.TSTORE',
    'flags & F.STATIC_FLAG',
    'flags & F.CREATION_FLAG & F.STATIC_FLAG',
  ),
  'a static frame may not pay itself': mutant(
    'frames/calls.executeCall',
    'if (opcode == op.CALL && pays && (flags',
    'if (pays && (flags',
  ),
  'STATICCALL is a CALL': mutant(
    'frames/calls.executeCall',
    'opcode == op.STATICCALL ? F.STATIC_FLAG :',
    'false ? F.STATIC_FLAG :',
  ),
  'CALLCODE is a CALL': mutant(
    'frames/calls.executeCall',
    'const keepsSelf = isDelegate || opcode == op.CALLCODE;',
    'const keepsSelf = isDelegate;',
  ),
  'input is the beginning of memory': mutant(
    'frames/calls.executeCall',
    'inBytes == 0 ? memoryStart : memoryStart + <usize>inOffset',
    'memoryStart',
  ),
  'output goes to the beginning of memory': mutant(
    'frames/calls.executeCall',
    'store<u32>(runningFrame, <u32>outOffset, F.RET_OFFSET);',
    'store<u32>(runningFrame, 0, F.RET_OFFSET);',
  ),
  'the outermost message may pay what it has not': mutant(
    'frames/calls.startOutermostCall',
    'if (less(sender + A.BALANCE, next + F.VALUE)) {',
    'if (false) {',
  ),
  'delegations are older than Prague': mutant('frames/calls.executeCall', ' && hasRule(rule.DELEGATION)', ''),
  'outermost delegations are older than Prague': mutant(
    'frames/calls.startOutermostCall',
    ' && hasRule(rule.DELEGATION)',
    '',
  ),
  'what failed is told with an item less': mutant(
    'interpreter.report',
    '(sp + 32 - load<u32>(runningFrame, F.STACK_START)) >> 5',
    '(sp - load<u32>(runningFrame, F.STACK_START)) >> 5',
  ),
};

const CONTRACTS: Readonly<Record<string, KernelChange>> = {
  'every contract goes': mutant(
    'state/selfdestruct.selfDestruct',
    'const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;',
    'const isNew = true;',
  ),
  'no contract goes': mutant(
    'state/selfdestruct.selfDestruct',
    'const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;',
    'const isNew = false;',
  ),
  'its own heir loses its balance': mutant(
    'state/selfdestruct.selfDestruct',
    'if (beneficiary != self || (goes && !hasRule(rule.DESTROYED_KEEPS_BALANCE))) clearBalance(self);',
    'clearBalance(self);',
  ),
  'its own heir keeps its balance': mutant(
    'state/selfdestruct.selfDestruct',
    'if (beneficiary != self || (goes && !hasRule(rule.DESTROYED_KEEPS_BALANCE))) clearBalance(self);',
    'if (beneficiary != self) clearBalance(self);',
  ),
  'the address is of the next nonce': mutant(
    'frames/creations.executeCreate',
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
    'byteSwap(SCRATCH_NEW_ADDRESS_PREIMAGE + 21, salt);',
    'copy(SCRATCH_NEW_ADDRESS_PREIMAGE + 21, salt);',
  ),
  'code may be one byte longer': mutant(
    'frames/frame-return.depositFailure',
    '> forkPrice(P.CODE_MAX)',
    '> forkPrice(P.CODE_MAX) + 1',
  ),
  'code may be one byte less long': mutant(
    'frames/frame-return.depositFailure',
    '> forkPrice(P.CODE_MAX)',
    '> forkPrice(P.CODE_MAX) - 1',
  ),
  'init code may be one byte longer': mutant(
    'frames/creations.executeCreate',
    'forkPrice(P.INITCODE_MAX)',
    'forkPrice(P.INITCODE_MAX) + 1',
  ),
  'init code may be one byte less long': mutant(
    'frames/creations.executeCreate',
    'forkPrice(P.INITCODE_MAX)',
    'forkPrice(P.INITCODE_MAX) - 1',
  ),
  'code may begin with EF': mutant('frames/frame-return.depositFailure', '0xef', '0xee'),
  'a nonce is not in the way': mutant('frames/creations.begin', 'load<u64>(created, A.NONCE) != 0 || ', ''),
  'code is not in the way': mutant('frames/creations.begin', ' || !hasNoCode(created)', ''),
  'storage is not in the way': mutant(
    'frames/creations.begin',
    ' || (hasRule(rule.STORAGE_COLLIDES) && (load<u32>(created, A.BASE_FLAGS) & A.HAS_STORAGE_ALONE) != 0)',
    '',
  ),
  'a creation that fails leaves its address cold': mutant(
    'frames/creations.executeCreate',
    'warmAccountEntryIfCold(created);\n  markFrameStart(next);',
    'markFrameStart(next);\n  warmAccountEntryIfCold(created);',
  ),
  'contracts begin with nonce 0': mutant('frames/creations.begin', 'setNonce(created, 1);', 'setNonce(created, 0);'),
  'storage of an older contract is seen': mutant(
    'state/storage.ownerOf',
    'return <u64>account | (<u64>load<u32>(account, INCARNATION) << 32);',
    'return <u64>account;',
  ),
  'transient storage is common to all': mutant(
    'state/storage.transientEntry',
    'let at = hash',
    'account = 0;\n  let at = hash',
  ),
  'the next message begins with old storage': mutant(
    'state/storage.commitSlot',
    'copy(entry + S.SLOT_BASE, entry + S.SLOT_VALUE);',
    '',
  ),
  'the next message begins with old balances': mutant(
    'state/accounts.commitAccount',
    'copy(entry + A.BASE_BALANCE, entry + A.BALANCE);',
    '',
  ),
  'the next message begins with old nonces': mutant(
    'state/accounts.commitAccount',
    'store<u64>(entry, load<u64>(entry, A.NONCE), A.BASE_NONCE);\n  store<u32>(entry, load<u32>(entry, A.INCARNATION)',
    'store<u32>(entry, load<u32>(entry, A.INCARNATION)',
  ),
  'the next message begins with old storages': mutant(
    'state/accounts.commitAccount',
    'store<u32>(entry, load<u32>(entry, A.INCARNATION), A.BASE_INCARNATION);',
    '',
  ),
  'what is new is not known to be': mutant('frames/creations.begin', 'markAccountFlag(created, A.CREATED);', ''),
  'what goes is not told': mutant(
    'state/selfdestruct.selfDestruct',
    'if (goes) markAccountFlag(self, A.DESTROYED);',
    '',
  ),
  'heirs get nothing': mutant(
    'state/selfdestruct.selfDestruct',
    'if (hasBalance) addBalance(beneficiary, self + A.BALANCE);',
    'if (hasBalance) touchIfEmpty(beneficiary);',
  ),
  'creations do not count': mutant('frames/creations.executeCreate', 'setNonce(self, nonce + 1);', ''),
  'what is new gets no value': mutant(
    'frames/creations.begin',
    'if (!isZero(next + F.VALUE) && !transferValue(creator, created, next + F.VALUE, true)) {',
    'if (false) {',
  ),
  'init code has input': mutant('frames/creations.begin', 'store<u32>(next, 0, F.INPUT_BYTES);', ''),
  'the address is of whole words of init code': mutant(
    'frames/creations.saltedAddress',
    'keccak256(SCRATCH_NEW_ADDRESS_PREIMAGE + 53, initcode, bytes);',
    'keccak256(SCRATCH_NEW_ADDRESS_PREIMAGE + 53, initcode, bytes & ~31);',
  ),
  'the next message begins with old codes': mutant(
    'state/accounts.commitAccount',
    'copy(entry + A.BASE_CODE_HASH, entry + A.CODE_HASH);',
    '',
  ),
  'transient storage outlives the message': mutant(
    'state/storage.transientEntry',
    'if (<u32>(tagged >> 32) != messageEpoch) break;',
    'if (tagged == 0) break;',
  ),
};

const INSTRUCTIONS: Readonly<Record<string, KernelChange>> = {
  'a block needs an item less': mutant(
    'code/basic-block.move',
    'lowest = min(lowest, height);',
    'lowest = min(lowest, height + 1);',
  ),
  'a block adds an item less': mutant(
    'code/basic-block.move',
    'highest = max(highest, height);',
    'highest = max(highest, height - 1);',
  ),
  'the stack has 1025 items': mutant('interpreter.interpret', 'stackStart + 1023 * 32', 'stackStart + 1024 * 32'),
  'a JUMPDEST begins no block': mutant('code/decode.decodeStretch', 'if (!isBlockEmpty()) beginNextBlock(pc);', ''),
  'what is pushed is jumped to': mutant('code/decode.leadsTo', 'return at == target;', 'return true;'),
  'what is pushed is jumped to, far from where an instruction begins': mutant(
    'code/decode.isScannedJumpdest',
    'pc += pushed(opcode);',
    '',
  ),
  'JUMPDESTs behind what was looked at are none': mutant(
    'code/decode.isScannedJumpdest',
    'let pc = load<u32>(code, C.SCANNED_BYTES);',
    'let pc = load<u32>(code, C.SCANNED_BYTES) + 1;',
  ),
  'a PUSH reaches a byte less': mutant('code/decode.beginsInstruction', '0x62, 0x61, 0x60', '0x63, 0x62, 0x61'),
  'a far PUSH does not reach': mutant(
    'code/decode.beginsInstruction',
    'v128.load(at - 32), far',
    'v128.load(at - 16), near',
  ),
  'a run goes on at the beginning of the code': mutant(
    'code/decode.decodeStretch',
    'appendDecodedInstruction(op.PUSH_SMALL, pc, pc);',
    'appendDecodedInstruction(op.PUSH_SMALL, pc, from);',
  ),
  'a run ends with the one that it comes to': mutant(
    'code/decode.decodeStretch',
    'appendDecodedInstruction(op.PUSH_SMALL, pc, pc);\n        appendDecodedInstruction(op.JUMP, pc, 0);',
    'appendDecodedInstruction(op.STOP, pc, 0);',
  ),
  'careful mode gives too much gas back': mutant(
    'code/basic-block.staticGasFrom',
    'if (opcode == op.JUMPDEST && at != pc) break;',
    '',
  ),
  'careful mode gives no gas back': mutant('interpreter.interpret', ': <i64>staticGasFrom(code, pc);', ': 0;'),
  'RETURNDATACOPY reads a byte beyond': mutant(
    'instructions/environment.COPY',
    'from + bytes > returnDataLength',
    'from + bytes > returnDataLength + 1',
  ),
  'RETURNDATACOPY of nothing reads anywhere': mutant(
    'instructions/environment.COPY',
    'from + bytes > returnDataLength',
    'bytes != 0 && from + bytes > returnDataLength',
  ),
  'copies leave what was there': mutant(
    'frames/memory.copyZeroPadded',
    'if (there < count) memory.fill(to + there, 0, count - there);',
    '',
  ),
  'call data end a byte early': mutant(
    'instructions/environment.CALLDATALOAD',
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
    'store<u64>(out, funnelShiftRight(w2, w3, rest), 16);',
    'store<u64>(out, funnelShiftRight(w2, w3, rest) | w3 << (64 - rest), 16);',
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
    'if (index < load<u32>(MESSAGE, MESSAGE_BLOB_COUNT))',
    'if (index <= load<u32>(MESSAGE, MESSAGE_BLOB_COUNT))',
  ),
  'the last topic comes first': mutant(
    'state/logs.addLog',
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
  'ORIGIN is the caller': mutant(
    'instructions/environment.ORIGIN',
    'MESSAGE + MESSAGE_CALLER',
    'runningFrame + F.CALLER',
  ),
  'GASPRICE is the value': mutant(
    'instructions/environment.GASPRICE',
    'MESSAGE + MESSAGE_GAS_PRICE',
    'runningFrame + F.VALUE',
  ),
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
  'JUMP looks at 64 bits': mutant('instructions/control.JUMP', 'saturatedSize(sp)', 'load<u64>(sp)'),
  'JUMPI looks at 64 bits': mutant('instructions/control.JUMPI', 'isZero(sp - 32)', 'load<u64>(sp - 32) == 0'),
  'MSTORE looks at 64 bits': mutant('interpreter.MSTORE', 'saturatedSize(sp)', 'load<u64>(sp)'),
  'shifts look at 64 bits': mutant('words/shift.amount', 'return high == 0 && low < 256', 'return low < 256'),
  'CLZ of a limb of zeros goes no further': mutant('words/shift.leadingZeros', 'if (zeros < 64) break;', 'break;'),
  'the last byte of a log is lost': mutant(
    'state/logs.addLog',
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

/** Reads of an execution, and its ether transfers as logs. */
const TRACES: Readonly<Record<string, KernelChange>> = {
  'a failed frame has read nothing': mutant(
    'state/journal.restore',
    'load<u32>(target, A.FLAGS) & A.FLAGS_KEPT_ON_REVERT',
    'load<u32>(target, A.FLAGS) & (A.FLAGS_KEPT_ON_REVERT ^ A.REACHED)',
  ),
  'a failed frame has read no slot': mutant(
    'state/journal.restore',
    'load<u32>(target, SLOT_FLAGS) & A.FLAGS_KEPT_ON_REVERT',
    'load<u32>(target, SLOT_FLAGS) & (A.FLAGS_KEPT_ON_REVERT ^ A.REACHED)',
  ),
  'a callee is not read': mutant('frames/calls.executeCall', 'markForReadSet(target);', '{}'),
  'an heir is not read': mutant('state/selfdestruct.selfDestruct', 'markForReadSet(beneficiary);', '{}'),
  'BALANCE reads nothing': mutant('instructions/accounts.paid', 'markNamed(entry);', ''),
  'a slot that is read is not noted': mutant('instructions/storage.SLOAD', 'markSlotNamed(entry);', ''),
  'a slot that is written is not noted': mutant('instructions/storage.SSTORE', 'markSlotNamed(entry);', ''),
  'reads of an earlier message count': mutant('state/accounts.beginEpoch', 'readAccountCount = 0;', ''),
  'a block that cannot be paid for reads nothing': mutant(
    'interpreter.interpret',
    'depth == 0 || locatesFailures',
    'depth == 0',
  ),
  'what cannot be paid for is not named': mutant(
    'interpreter.interpret',
    'recordsUnpaidAccesses && !recordFailedAccess(',
    'false && !recordFailedAccess(',
  ),
  'a call that fails names its gas': mutant(
    'out-of-gas-accesses.recordFailedAccess',
    'nameAccount(sp - 32)',
    'nameAccount(sp)',
  ),
  'a call with two items names an account': mutant('out-of-gas-accesses.recordFailedAccess', 'items < 5', 'items < 2'),
  'an heir that cannot be paid for is not named': mutant(
    'out-of-gas-accesses.recordFailedAccess',
    'case op.SELFDESTRUCT:',
    '',
  ),
  'a slot that cannot be paid for is not named': mutant(
    'out-of-gas-accesses.nameSlot',
    'if (entry != 0) markSlotReached(entry);',
    '',
  ),
  'a refused call is no part of the tree': mutant(
    'frames/frame-entry.refuseChildFrame',
    'hashFrameIntoCallTree(depth, status.FRAME_NOT_STARTED);',
    '',
  ),
  'a revert is a halt in the tree': mutant(
    'frames/frame-return.resumeCaller',
    'hashFrameIntoCallTree(depth, how);',
    'hashFrameIntoCallTree(depth, succeeded ? 0 : 2);',
  ),
  'depths are no part of the tree': mutant('execution-wide-state.hashFrameIntoCallTree', '((depth + 1) << 5)', '32'),
  'a move to oneself is not logged': mutant(
    'frames/frame-entry.transferValue',
    'if (isLogged) logs.logTransfer(from, to, value);\n  if (from == to) return true;',
    'if (from == to) return true;\n  if (isLogged) logs.logTransfer(from, to, value);',
  ),
  'CALLCODE logs a move of ether': mutant(
    'frames/calls.executeCall',
    'next + F.VALUE, !keepsSelf)',
    'next + F.VALUE, true)',
  ),
  'a refused call has made no log of its value': mutant(
    'frames/calls.executeCall',
    'if (opcode == op.CALL) logs.countRefusedTransferLog(value);',
    '',
  ),
  'a refused creation has made no log of its value': mutant(
    'frames/creations.executeCreate',
    'logs.countRefusedTransferLog(sp);',
    '',
  ),
  'a creation at a taken address has made no log of its value': mutant(
    'frames/creations.begin',
    'logs.countRefusedTransferLog(next + F.VALUE);',
    '',
  ),
  'a move is logged without its receiver': mutant('state/logs.logTransfer', 'copyAddress(topics + 76, to);', ''),
  'SELFDESTRUCT moves ether without a log': mutant(
    'state/selfdestruct.selfDestruct',
    'if (hasBalance) logs.logTransfer(self, beneficiary, self + A.BALANCE);',
    '',
  ),
  'moves of ether are always logged': mutant(
    'state/logs.logTransfer',
    'if (!ofEther || (byRule && from == to)) return;',
    '',
  ),
};

/** What tracers are called with. */
const HOOKS: Readonly<Record<string, KernelChange>> = {
  'a log is not told': mutant('state/logs.commit', 'hooks.reportLog(logsTop);', ''),
  'a frame is told without its stipend': mutant(
    'frames/calls.executeCall',
    '<u32>inBytes,\n    given + stipend,',
    '<u32>inBytes,\n    given,',
  ),
  'the stipend is told as used': mutant('frame-and-log-hooks.left', ' + load<i64>(runningFrame, F.CHILD_STIPEND)', ''),
  'a DELEGATECALL is told without a value': mutant(
    'frames/calls.executeCall',
    'isDelegate ? runningFrame + F.VALUE : value',
    'value',
  ),
  'an empty input is told from its offset': mutant(
    'frames/calls.executeCall',
    'isDelegate ? runningFrame + F.VALUE : value,\n    input,',
    'isDelegate ? runningFrame + F.VALUE : value,\n    memoryStart,',
  ),
  'a self-destruct is not told': mutant(
    'state/selfdestruct.selfDestruct',
    'reportFrameEntered(op.SELFDESTRUCT, self, beneficiary, self + A.BALANCE, 0, 0, 0);',
    '',
  ),
  'inner failures are told without their instruction': mutant(
    'interpreter.interpret',
    'depth == 0 || reportsToTracer',
    'depth == 0',
  ),
  'a frame that is traced is not run again': mutant('execution-wide-state.setFailureRecording', ' || isHooked', ''),
  'a refused call is told as too deep': mutant(
    'frames/calls.executeCall',
    'isDeep ? status.TOO_DEEP : status.INSUFFICIENT_BALANCE',
    'status.TOO_DEEP',
  ),
  'a refused creation names nothing': mutant(
    'frames/creations.executeCreate',
    'refusal == 0 || reportsToTracer',
    'refusal == 0',
  ),
  'a refused creation is told from Amsterdam on': mutant(
    'frames/creations.executeCreate',
    'const isFrame = !hasRule(rule.STATE_GAS);',
    'const isFrame = true;',
  ),
  'code of an inner creation is not told': mutant(
    'frames/frame-return.deposit',
    'depth < 0 || reportsToTracer;',
    'depth < 0;',
  ),
  'an inner creation returns its code': mutant(
    'frames/frame-return.returnCreatedAddress',
    'setReturnDataLength(0);',
    '',
  ),
  'a slot that cannot be paid for is told': mutant(
    'instructions/storage.SSTORE',
    'markSlotReached(entry);',
    'markSlotNamed(entry);',
  ),
  'BALANCE is not told': mutant('state/accounts.markNamed', ' | A.NAMED', ''),
  'SLOAD is not told': mutant('state/storage.markSlotNamed', ' | NAMED', ''),
  'a failed frame has named nothing': mutant('shared/account-fields.FLAGS_KEPT_ON_REVERT', ' | NAMED', ''),
};

const COMPILED: Readonly<Record<string, KernelChange>> = {
  'compiled blocks do not tell how long memory is': mutant(
    'interpreter.COMPILED',
    'memoryBytes = load<u32>(COMPILED_FRAME_MEMORY_BYTES);',
    '',
  ),
  'compiled blocks do not tell where the stack ends': mutant(
    'interpreter.COMPILED',
    'sp = <usize>load<u32>(COMPILED_SP);',
    '',
  ),
  'what compiled blocks do not use up is lost': mutant(
    'interpreter.COMPILED',
    'const used = given - load<i64>(COMPILED_GAS_LEFT);',
    'const used = given;',
  ),
  'compiled blocks hash memory that is not there': mutant(
    'code/jit-helpers.KECCAK256',
    'bytes != 0 &&',
    'bytes == 1 &&',
  ),
  'compiled blocks read the slots of the caller': mutant(
    'code/jit-helpers.self',
    'runningFrame, F.SELF_ACCOUNT',
    'runningFrame - 256, F.SELF_ACCOUNT',
  ),
};

/** By their effect on the kernel. */
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
