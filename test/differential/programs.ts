// Hand-written contracts of many kinds. Their arguments are the words of the call data.
import { assemble } from '../support/assembler.js';

/** How a contract reads its call data: as words, or as a target's address and the data to forward to it. */
export type Reads = 'words' | 'forward' | 'initcode';

export interface Program {
  readonly name: string;
  readonly code: string;
  readonly reads: Reads;
}

const arg = (index: number): string => `PUSH ${index * 32}; CALLDATALOAD;`;
/** Stores the words that `expressions` push, and returns them all. */
const answer = (...expressions: readonly string[]): string =>
  [
    ...expressions.map((text, i) => `${text}; PUSH ${i * 32}; MSTORE`),
    `PUSH ${expressions.length * 32}; PUSH 0; RETURN`,
  ].join(';');
const rest = 'PUSH 32; CALLDATASIZE; SUB';
const takeRest = `${rest}; PUSH 32; PUSH 0; CALLDATACOPY`;
const copyReturned = 'RETURNDATASIZE; PUSH 0; PUSH 0; RETURNDATACOPY';

type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL';

/**
 * Forwards the rest of the call data to argument 0; leaves the success flag on the stack and the return data in memory.
 */
function forward(kind: CallKind, gas: string): string {
  const value = kind === 'CALL' || kind === 'CALLCODE' ? 'CALLVALUE;' : '';
  return `${takeRest}; PUSH 0; PUSH 0; ${rest}; PUSH 0; ${value} ${arg(0)} ${gas}; ${kind}; ${copyReturned}`;
}

const bubble = 'ISZERO; REF fail; JUMPI; RETURNDATASIZE; PUSH 0; RETURN; LABEL fail; RETURNDATASIZE; PUSH 0; REVERT';
const swallow = 'RETURNDATASIZE; MSTORE; PUSH 32; RETURNDATASIZE; ADD; PUSH 0; RETURN';
/** Records the failure in storage, as a contract with a `catch` does. */
const fallBack = `ISZERO; REF failed; JUMPI; ${answer('PUSH 1')}; LABEL failed; CALLER; PUSH 0x99; SSTORE; ${answer('PUSH 2')}`;

const takeInitCode = 'CALLDATASIZE; PUSH 0; PUSH 0; CALLDATACOPY';
const tellCreated =
  'PUSH 0; MSTORE; RETURNDATASIZE; PUSH 32; MSTORE; RETURNDATASIZE; PUSH 0; PUSH 64; RETURNDATACOPY;' +
  'RETURNDATASIZE; PUSH 64; ADD; PUSH 0; RETURN';
const callCreated = `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0x60; MLOAD; GAS; CALL; ${copyReturned}`;

const BINARY = ['ADD', 'MUL', 'SUB', 'DIV', 'SDIV', 'MOD', 'SMOD', 'EXP', 'SIGNEXTEND', 'LT', 'GT', 'SLT', 'SGT'];
const MORE_BINARY = ['EQ', 'AND', 'OR', 'XOR', 'BYTE', 'SHL', 'SHR', 'SAR'];
const arithmetic = answer(
  ...[...BINARY, ...MORE_BINARY].map((name) => `${arg(1)} ${arg(0)} ${name}`),
  ...['ADDMOD', 'MULMOD'].map((name) => `${arg(2)} ${arg(1)} ${arg(0)} ${name}`),
  ...['CLZ', 'NOT', 'ISZERO'].map((name) => `${arg(0)} ${name}`),
);

const environment = answer(
  ...'NUMBER TIMESTAMP BASEFEE GASLIMIT PREVRANDAO COINBASE CHAINID GASPRICE BLOBBASEFEE'.split(' '),
  ...'ORIGIN CALLER ADDRESS CALLVALUE SELFBALANCE CODESIZE CALLDATASIZE MSIZE PC'.split(' '),
  'PUSH 0; BLOCKHASH',
  'NUMBER; BLOCKHASH',
  `${arg(0)} BLOCKHASH`,
  'PUSH 0; BLOBHASH',
  'PUSH 1; BLOBHASH',
  `${arg(0)} BLOBHASH`,
);

const SOURCES: readonly (readonly [name: string, code: string, reads?: Reads])[] = [
  ['environment', environment],
  ['arithmetic', arithmetic],
  ['echo', `${takeInitCode}; CALLDATASIZE; PUSH 0; RETURN`],
  ['revert', `${takeInitCode}; CALLDATASIZE; PUSH 0; REVERT`],
  ['store', `${arg(0)} SLOAD; PUSH 0; MSTORE; ${arg(1)} ${arg(0)} SSTORE; PUSH 32; PUSH 0; RETURN`],
  ['store twice', `${arg(1)} PUSH 0; SSTORE; ${arg(2)} PUSH 0; SSTORE; ${answer('PUSH 0; SLOAD')}`],
  ['clear', 'PUSH 0; PUSH 0; SSTORE; PUSH 0; PUSH 1; SSTORE; PUSH 0; PUSH 2; SSTORE; STOP'],
  [
    'transient, in itself',
    `PUSH 5; TLOAD; REF again; JUMPI; ${arg(0)} PUSH 5; TSTORE; PUSH 32; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL; POP; PUSH 32; PUSH 0; RETURN; LABEL again; ${answer('PUSH 5; TLOAD')}`,
  ],
  [
    'memory copy',
    `${takeInitCode}; PUSH 63; ${arg(2)} AND; PUSH 127; ${arg(1)} AND; PUSH 255; ${arg(0)} AND; MCOPY; MSIZE; PUSH 0; RETURN`,
  ],
  ['memory at', `PUSH 0xffff; ${arg(0)} AND; PUSH 1; SWAP1; MSTORE8; ${answer('MSIZE')}`],
  ['memory far', `PUSH 1; ${arg(0)} MSTORE; ${answer('MSIZE')}`],
  ['hash', `${takeInitCode}; ${answer('CALLDATASIZE; PUSH 0; KECCAK256')}`],
  ['proxy', `${forward('CALL', 'GAS')}; ${bubble}`, 'forward'],
  ['proxy, code only', `${forward('CALLCODE', 'GAS')}; ${bubble}`, 'forward'],
  ['proxy, delegate', `${forward('DELEGATECALL', 'GAS')}; ${bubble}`, 'forward'],
  ['proxy, static', `${forward('STATICCALL', 'GAS')}; ${bubble}`, 'forward'],
  ['swallow', `${forward('CALL', 'GAS')}; ${swallow}`, 'forward'],
  ['swallow, static', `${forward('STATICCALL', 'GAS')}; ${swallow}`, 'forward'],
  ['swallow, delegate', `${forward('DELEGATECALL', 'GAS')}; ${swallow}`, 'forward'],
  ['swallow, 2300', `${forward('CALL', 'PUSH 2300')}; ${swallow}`, 'forward'],
  ['swallow, 30000', `${forward('CALL', 'PUSH 30000')}; ${swallow}`, 'forward'],
  ['bubble, 30000', `${forward('CALL', 'PUSH 30000')}; ${bubble}`, 'forward'],
  ['swallow, half', `${forward('CALL', 'PUSH 2; GAS; DIV')}; ${swallow}`, 'forward'],
  ['fall back', `${forward('CALL', 'GAS')}; ${fallBack}`, 'forward'],
  ['fall back, 20000', `${forward('CALL', 'PUSH 20000')}; ${fallBack}`, 'forward'],
  ['create', `${takeInitCode}; CALLDATASIZE; PUSH 0; CALLVALUE; CREATE; ${tellCreated}`, 'initcode'],
  ['create2', `${takeInitCode}; PUSH 7; CALLDATASIZE; PUSH 0; CALLVALUE; CREATE2; ${tellCreated}`, 'initcode'],
  [
    'create and call',
    `${takeInitCode}; CALLDATASIZE; PUSH 0; PUSH 0; CREATE; PUSH 0x60; MSTORE; ${callCreated}; ${swallow}`,
    'initcode',
  ],
  ['destroy', `${arg(0)} SELFDESTRUCT`],
  ['destroy to itself', 'ADDRESS; SELFDESTRUCT'],
  [
    'loop',
    `PUSH 0xff; ${arg(0)} AND; LABEL loop; DUP1; ISZERO; REF end; JUMPI; PUSH 1; SWAP1; SUB; REF loop; JUMP; LABEL end; STOP`,
  ],
  ['endless', 'LABEL loop; PUSH 0x0fff; PUSH 0; LOG0; REF loop; JUMP'],
  ['invalid', 'INVALID'],
  ['wrong jump', `${arg(0)} JUMP`],
  ['underflow', 'ADD'],
  ['overflow', 'LABEL loop; PUSH 0; REF loop; JUMP'],
  ['into itself', 'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL'],
  ['gas left', answer('GAS')],
  ['wants 50000', `GAS; PUSH 50000; LT; REF fine; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL fine; ${answer('PUSH 1')}`],
  ['wants little', `GAS; PUSH 60000; GT; REF fine; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL fine; ${answer('PUSH 1')}`],
  [
    'logs',
    `${takeInitCode}; PUSH 0xff; CALLDATASIZE; AND; PUSH 0; LOG0; ${arg(0)} PUSH 32; PUSH 0; LOG1; PUSH 4; PUSH 3; PUSH 2; PUSH 1; PUSH 9; PUSH 5; LOG4`,
  ],
  [
    'looks at',
    `PUSH 64; PUSH 0; PUSH 0x80; ${arg(0)} EXTCODECOPY; ${arg(0)} EXTCODESIZE; PUSH 0; MSTORE; ${arg(0)} EXTCODEHASH; PUSH 32; MSTORE; ${arg(0)} BALANCE; PUSH 64; MSTORE; PUSH 0xc0; PUSH 0; RETURN`,
  ],
  [
    'splits',
    `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 2; CALLVALUE; DIV; ${arg(0)} PUSH 0; CALL; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 3; CALLVALUE; DIV; ${arg(1)} PUSH 0; CALL; PUSH 0; MSTORE; PUSH 32; MSTORE; PUSH 64; PUSH 0; RETURN`,
  ],
  ['receives, logs', 'CALLVALUE; PUSH 0; PUSH 0; LOG1; STOP'],
  ['receives, stores', 'CALLVALUE; PUSH 0; SSTORE; STOP'],
  ['returned, too far', 'PUSH 1; PUSH 0; PUSH 0; RETURNDATACOPY; STOP'],
  ['stops', 'STOP'],
];

/** All programs; an opcode that no fork defines has no name in the assembler. */
export const PROGRAMS: readonly Program[] = [
  ...SOURCES.map(([name, source, reads = 'words']) => ({ name, code: assemble(source), reads })),
  { name: 'undefined opcode', code: '0x0c', reads: 'words' },
  { name: 'begins with 0xef', code: '0xef00', reads: 'words' },
];

const returns = (length: number, first: string): string =>
  assemble(`PUSH ${first}; PUSH 0; MSTORE8; PUSH ${length}; PUSH 0; RETURN`);

/** Init code that creates contracts, and init code that fails. */
export const INIT_CODES: readonly string[] = [
  '0x',
  returns(1, '0x00'),
  returns(33, '0x5b'),
  returns(5000, '0x00'),
  returns(24_577, '0x00'),
  returns(1, '0xef'),
  assemble('CALLER; PUSH 1; SSTORE; PUSH 0x6001600052; PUSH 0; MSTORE; PUSH 5; PUSH 27; RETURN'),
  assemble('CALLER; SELFDESTRUCT'),
  assemble(`${takeInitCode}; PUSH 4; PUSH 0; REVERT`),
  assemble('INVALID'),
  assemble(
    'PUSH 0x5f5f5f5f5f3d3d3d3d3d3df0; PUSH 0; MSTORE; PUSH 5; PUSH 27; PUSH 0; CREATE; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN',
  ),
];
