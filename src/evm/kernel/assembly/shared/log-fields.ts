// Fields of a log; they are followed by its topics as big-endian bytes, then its data, padded to 16 bytes.

/** Entry of the account, u32. */
export const ACCOUNT: usize = 0;
/** Number of topics, u32. */
export const TOPICS: usize = 4;
/** Bytes of data, u32. */
export const LENGTH: usize = 8;
/** Its index among all logs that the message made, those of failed frames included, u32. */
export const LOG_INDEX: usize = 12;
/** Bytes before the first topic. */
export const HEAD_BYTES: usize = 16;
