// What each opcode takes from the stack and gives back, and what it costs before anything else. Runs on publisher and
// estimators.
import type { Common } from '@ethereumjs/common';

/** Items that the instruction takes from the stack; 0 for a byte that is none. */
export function itemsTaken(opcode: number): number {
  return SHAPES[opcode]?.[0] ?? 0;
}

/** Items that it gives back. */
export function itemsGiven(opcode: number): number {
  return SHAPES[opcode]?.[1] ?? 0;
}

/** Gas by itself, from London on: without memory, copying, access (EIP-2929) and what a call or creation is given. */
export function staticGas(opcode: number): number {
  return GAS[opcode] ?? 0;
}

/** Whether the fork, London or a later one, has the instruction. */
export function isDefined(opcode: number, common: Common): boolean {
  if (SHAPES[opcode] === undefined) return false;
  const eip = EIPS[opcode];
  return eip === undefined || common.isActivatedEIP(eip);
}

/** Instructions that came after London. */
const EIPS: Readonly<Record<number, number>> = {
  0x1e: 7939,
  0x49: 4844,
  0x4a: 7516,
  0x5c: 1153,
  0x5d: 1153,
  0x5e: 5656,
  0x5f: 3855,
};

const SHAPES: Readonly<Record<number, readonly [taken: number, given: number]>> = shapes();
const GAS: Readonly<Record<number, number>> = costs();

function shapes(): Record<number, readonly [number, number]> {
  const table: Record<number, readonly [number, number]> = {};
  const add = (taken: number, given: number, ...codes: number[]): void => {
    for (const code of codes) table[code] = [taken, given];
  };
  add(0, 0, 0x00, 0x5b);
  add(2, 1, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18);
  add(2, 1, 0x1a, 0x1b, 0x1c, 0x1d, 0x20);
  add(3, 1, 0x08, 0x09, 0xf0);
  add(1, 1, 0x15, 0x19, 0x1e, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c);
  add(0, 1, 0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a);
  add(0, 1, 0x58, 0x59, 0x5a, 0x5f);
  add(3, 0, 0x37, 0x39, 0x3e, 0x5e);
  add(4, 0, 0x3c);
  add(1, 0, 0x50, 0x56, 0xff);
  add(2, 0, 0x52, 0x53, 0x55, 0x57, 0x5d, 0xf3, 0xfd);
  add(7, 1, 0xf1, 0xf2);
  add(6, 1, 0xf4, 0xfa);
  add(4, 1, 0xf5);
  for (let i = 0; i < 32; i++) add(0, 1, 0x60 + i);
  for (let i = 0; i < 16; i++) add(i + 1, i + 2, 0x80 + i);
  for (let i = 0; i < 16; i++) add(i + 2, i + 2, 0x90 + i);
  for (let i = 0; i < 5; i++) add(i + 2, 0, 0xa0 + i);
  return table;
}

/** Yellow paper, appendix G, with EIP-2929 and what came after it. */
function costs(): Record<number, number> {
  const table: Record<number, number> = {};
  const add = (gas: number, ...codes: number[]): void => {
    for (const code of codes) table[code] = gas;
  };
  add(1, 0x5b);
  add(2, 0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4a);
  add(2, 0x50, 0x58, 0x59, 0x5a, 0x5f);
  add(3, 0x01, 0x03, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d);
  add(3, 0x35, 0x37, 0x39, 0x3e, 0x49, 0x51, 0x52, 0x53, 0x5e);
  add(5, 0x02, 0x04, 0x05, 0x06, 0x07, 0x0b, 0x1e, 0x47);
  add(8, 0x08, 0x09, 0x56);
  add(10, 0x0a, 0x57);
  add(20, 0x40);
  add(30, 0x20);
  add(100, 0x5c, 0x5d);
  for (let code = 0x60; code <= 0x9f; code++) add(3, code);
  for (let i = 0; i < 5; i++) add(375 * (i + 1), 0xa0 + i);
  add(5000, 0xff);
  add(32_000, 0xf0, 0xf5);
  return table;
}
