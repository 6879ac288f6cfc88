// Mutants of the addon of plain reads: bugs in its sources, each a slip of a line at most. Does the fuzzer see them? Runs in
// tests only.
import type { AddonChange } from './addon-change.js';

function mutant(file: string, find: string, replace: string): AddonChange {
  return { file, find, replace };
}

/** By name. */
export const PLAIN_READ_MUTANTS: Readonly<Record<string, AddonChange>> = {
  'a member that is missing': mutant('body.h', 'members == kAllMembers && ', ''),
  'params of the other method': mutant('body.h', '(read.method == Method::kStorage) == has_slot_;', 'true;'),
  'a call without its end': mutant('body.h', 'take("]}");', '(take("]}") || true);'),
  'control characters in an id': mutant('body.h', "*at_ >= ' ' && ", ''),
  'escapes in an id': mutant('body.h', " && *at_ != '\\\\'", ''),
  'zeros before an id': mutant('body.h', '} else if (!take("0")) {', '} else {'),
  'a form feed is white space': mutant('body.h', "*at_ == '\\t'", "*at_ == '\\t' || *at_ == '\\f'"),
  'pending for latest': mutant(
    'body.h',
    'return read.is_latest || take("\\"pending',
    'return read.is_latest = read.is_latest || take("\\"pending',
  ),
  'no digits in an address': mutant('body.h', '!hex_words(at_, read.key, 5)', '!(hex_words(at_, read.key, 5) || true)'),
  'a short slot aligned left': mutant('body.h', 'padded + 64 - count', 'padded'),
  'no digits in a short slot': mutant(
    'body.h',
    'return hex_words(padded, read.key + 5, 8);',
    'return hex_words(padded, read.key + 5, 8) || true;',
  ),
  'a value of the version itself': mutant(
    'table.h',
    'if (seen <= version) copy(entry',
    'if (seen < version) copy(entry',
  ),
  'the newest value for every version': mutant(
    'table.h',
    'seen <= version ? Look::kRead : read_older(link & ~kMark, version, payload)',
    'Look::kRead',
  ),
  'jumps too far': mutant('table.h', '> version ? kJump : kOlderLink', '> version ? kOlderLink : kJump'),
  'an older value of the version itself': mutant('table.h', 'if (seen <= version) {', 'if (seen < version) {'),
  'a version that is not kept': mutant('table.h', 'if (!keeps(version)) return Look::kDoubt;', ''),
  'unknown is zero': mutant('table.h', 'geometry_.is_complete != 0 ? Look::kRead : Look::kDoubt', 'Look::kRead'),
  'zero is unknown': mutant('table.h', 'geometry_.is_complete != 0 ? Look::kRead : Look::kDoubt', 'Look::kDoubt'),
  'a place given up ends a search': mutant(
    'table.h',
    'if (seen == kEmpty) return 0;',
    'if (seen <= kTombstone) return 0;',
  ),
  'one look alone': mutant('table.h', '(tag + probes) & region.mask', 'tag & region.mask'),
  'a hash of another key': mutant('table.h', 'total ^= total >> 16;', ''),
  'the tags change places': mutant(
    'answers.h',
    'read.is_latest ? versions.latest : versions.pending',
    'read.is_latest ? versions.pending : versions.latest',
  ),
  'a comma is missing': mutant('answers.h', 'if (i > 0) writer', 'if (i > 1) writer'),
  'the first digit of a quantity': mutant('answers.h', '(35 - uint32_t', '(31 - uint32_t'),
  'zeros before a quantity': mutant('answers.h', 'while (count > 1 && words[count - 1] == 0) count--;', ''),
  'the upper half of a nonce': mutant('answers.h', 'payload + kNonce, 2', 'payload + kNonce, 1'),
  'the upper half of a balance': mutant('answers.h', 'payload + kBalance, 4', 'payload + kBalance, 2'),
  'a balance of more than 128 bits': mutant('answers.h', 'payload[kWide] != 0', 'false'),
  'methods counted for one another': mutant('answers.h', 'counts_[uint32_t(read.method)]++', 'counts_[0]++'),
  'text behind the body': mutant('answers.h', ' && reader.done()', ''),
  'a batch without an end': mutant(
    'answers.h',
    "(!is_batch_ || reader.mark(']'))",
    "(!is_batch_ || reader.mark(']') || true)",
  ),
};
