// Mutants of the addon for plain reads: bugs in its sources, each a change of one line at most. Does the fuzzer detect
// them?
import type { AddonChange } from './addon-change.js';

function mutant(file: string, find: string, replace: string): AddonChange {
  return { file, find, replace };
}

/** By name. */
export const PLAIN_READ_MUTANTS: Readonly<Record<string, AddonChange>> = {
  'a member that is missing': mutant('plain-read-parser.h', 'members == kAllMembers && ', ''),
  'params of the other method': mutant('plain-read-parser.h', ' || words_ > slots + 1', ''),
  'a call without its end': mutant('plain-read-parser.h', 'take("]}");', '(take("]}") || true);'),
  'control characters in an id': mutant('plain-read-parser.h', "*at_ >= ' ' && ", ''),
  'escapes in an id': mutant('plain-read-parser.h', " && *at_ != '\\\\'", ''),
  'zeros before an id': mutant('plain-read-parser.h', '} else if (!take("0")) {', '} else {'),
  'a form feed is white space': mutant('plain-read-parser.h', "*at_ == '\\t'", "*at_ == '\\t' || *at_ == '\\f'"),
  'pending for latest': mutant(
    'plain-read-parser.h',
    '\\"pending\\"")) word.block = Block::kPending',
    '\\"pending\\"")) word.block = Block::kLatest',
  ),
  'a number with zeros before it': mutant('plain-read-parser.h', " || (word.digits[0] == '0' && word.count > 1)", ''),
  'a number of more than 64 bits': mutant('plain-read-parser.h', 'word.count > 16 || ', ''),
  'a number without digits': mutant('plain-read-parser.h', 'word.count == 0 || word.count', 'word.count'),
  'no digits in an address': mutant(
    'plain-read-parser.h',
    '!hex_words(at_, read.key, 5)',
    '!(hex_words(at_, read.key, 5) || true)',
  ),
  'a short slot aligned left': mutant('plain-read-parser.h', 'padded + 64 - word.count', 'padded'),
  'no digits in a short slot': mutant(
    'plain-read-parser.h',
    'return hex_words(padded, read.key + 5, 8);',
    'return hex_words(padded, read.key + 5, 8) || true;',
  ),
  'a value of the version itself': mutant(
    'table-reader.h',
    'if (seen <= version) copy(entry',
    'if (seen < version) copy(entry',
  ),
  'the newest value for every version': mutant(
    'table-reader.h',
    'seen <= version ? Look::kRead : read_older(link & ~kMark, version, payload)',
    'Look::kRead',
  ),
  'jumps too far': mutant('table-reader.h', '> version ? kJump : kOlderLink', '> version ? kOlderLink : kJump'),
  'an older value of the version itself': mutant('table-reader.h', 'if (seen <= version) {', 'if (seen < version) {'),
  'a version that is not kept': mutant('table-reader.h', 'if (!keeps(version)) return Look::kDoubt;', ''),
  'unknown is zero': mutant('table-reader.h', 'geometry_.is_complete != 0 ? Look::kRead : Look::kDoubt', 'Look::kRead'),
  'zero is unknown': mutant(
    'table-reader.h',
    'geometry_.is_complete != 0 ? Look::kRead : Look::kDoubt',
    'Look::kDoubt',
  ),
  'a place given up ends a search': mutant(
    'table-reader.h',
    'if (seen == kEmpty) return 0;',
    'if (seen <= kTombstone) return 0;',
  ),
  'one look alone': mutant('table-reader.h', '(tag + probes) & region.mask', 'tag & region.mask'),
  'a hash of another key': mutant('table-reader.h', 'total ^= total >> 16;', ''),
  'the tags change places': mutant(
    'plain-read-responses.h',
    'case Block::kLatest: return heads.latest;',
    'case Block::kLatest: return heads.pending;',
  ),
  'a missing block is pending': mutant('plain-read-responses.h', '? heads.default_block', '? Block::kPending'),
  'finalized for safe': mutant('plain-read-responses.h', 'version_at(heads.safe,', 'version_at(heads.finalized,'),
  'every number above is pending': mutant('plain-read-responses.h', ' && read.number == heads.pending_number', ''),
  'one number for all of a batch': mutant(
    'plain-read-responses.h',
    'if (number != number_) {',
    'if (number_ == UINT64_MAX) {',
  ),
  'a block that is not kept': mutant('table-reader.h', 'version >= load_acquire(kFloor) ? version : 0', 'version'),
  'a run of blocks without an end': mutant('table-reader.h', 'above - number <= ordinals_behind(ordinal, run)', 'true'),
  'a comma is missing': mutant('plain-read-responses.h', 'if (i > 0) writer', 'if (i > 1) writer'),
  'the first digit of a quantity': mutant('plain-read-responses.h', '(35 - uint32_t', '(31 - uint32_t'),
  'zeros before a quantity': mutant(
    'plain-read-responses.h',
    'while (count > 1 && words[count - 1] == 0) count--;',
    '',
  ),
  'the upper half of a nonce': mutant('plain-read-responses.h', 'payload + kNonce, 2', 'payload + kNonce, 1'),
  'the upper half of a balance': mutant('plain-read-responses.h', 'payload + kBalance, 4', 'payload + kBalance, 2'),
  'a balance of more than 128 bits': mutant('plain-read-responses.h', 'payload[kWide] == 0', 'true'),
  'methods counted for one another': mutant(
    'plain-read-responses.h',
    'counts_[uint32_t(read.method)]++',
    'counts_[0]++',
  ),
  'text behind the body': mutant('plain-read-responses.h', ' || !reader.done()', ''),
  'a run goes on behind what it does not read': mutant(
    'plain-read-responses.h',
    'if (!look_up(read, heads, payload)) return i;',
    'if (!look_up(read, heads, payload)) continue;',
  ),
  'a batch without an end': mutant(
    'plain-read-responses.h',
    "(is_batch && !reader.mark(']'))",
    "(is_batch && !reader.mark(']') && false)",
  ),
};
