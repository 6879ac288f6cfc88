// Decodes parts of a buffer as strings, by the functions that `Buffer.toString` looks up by the encoding's name each
// time, which is a third of its time for short ones.

interface BufferSlices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** One character for each of these bytes. */
export function latin1Slice(buffer: Buffer, start: number, end: number): string {
  return (buffer as unknown as BufferSlices).latin1Slice(start, end);
}

/** These bytes decoded as UTF-8. */
export function utf8Slice(buffer: Buffer, start: number, end: number): string {
  return (buffer as unknown as BufferSlices).utf8Slice(start, end);
}
