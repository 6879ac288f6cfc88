// Schemas for the text of settings: format, bounds and error messages.
import { z } from 'zod';
import { LIMITS } from '../limits/index.js';

export const nonEmptyTextSchema = z.string().min(1, 'is empty');

const bounded = (least: number, most: number, shown: (bound: number) => string = String) => {
  const bounds = `is not between ${shown(least)} and ${shown(most)}`;
  return z.number().min(least, bounds).max(most, bounds);
};

/** A whole number, written as digits or as `30e6`. */
export const integerSchema = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(e\d+)?$/i, 'is not a whole number')
    .transform(Number)
    .pipe(bounded(least, most));

/** A number, written in decimal notation. */
export const decimalSchema = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'is not a number')
  .transform(Number);

/** Several texts, separated by commas. */
export const listSchema = z.string().transform((list) => list.split(',').filter((entry) => entry !== ''));

/** A size in bytes: `5242880`, `5m`, `1.5g`, `30e6`. The letters k, m and g multiply by powers of 1024. */
export const byteSizeSchema = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(e\d+|[kmg])?$/i, 'is not a number of bytes, with the suffix k, m or g')
    .transform((size) => {
      const unit = 'kmg'.indexOf(size.at(-1)!.toLowerCase()) + 1;
      return Math.floor(Number(unit === 0 ? size : size.slice(0, -1)) * 1024 ** unit);
    })
    .pipe(bounded(least, most, sizeText));

/** Formats a size in the largest unit of which it is a multiple: 8589934592 as `8g`. */
function sizeText(size: number): string {
  const unit = [3, 2, 1].find((power) => size % 1024 ** power === 0);
  return unit === undefined ? String(size) : `${size / 1024 ** unit}${'kmg'[unit - 1]}`;
}

/** A switch, which is off by default. */
export const switchSchema = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');

/** One URL whose protocol is one of `protocols`. */
export const urlSchema = (...protocols: readonly string[]) => {
  return z
    .string()
    .refine((value) => isUrl(value, protocols), { message: `is not ${urlText(protocols)}` })
    .optional();
};

/**
 * Several URLs, separated by commas. A URL may itself contain commas, so only a comma before a protocol separates two.
 */
export const urlListSchema = (...protocols: readonly string[]) => {
  return z
    .string()
    .transform((list) => list.split(/,(?=[a-z]+:\/\/)/i))
    .refine((list) => list.every((value) => isUrl(value, protocols)), { message: `is not ${urlText(protocols)}` })
    .refine((list) => new Set(list).size === list.length, { message: 'has one of them twice' })
    .refine((list) => list.length <= LIMITS.feedsMax, { message: `is more than ${LIMITS.feedsMax}` })
    .default([]);
};

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

function urlText(protocols: readonly string[]): string {
  return `a ${protocols.map((protocol) => `${protocol}//`).join(' or ')} URL`;
}
