// Fields of a log. They are followed by its topics as big-endian bytes, then by its data, padded to 16 bytes.

/** Table entry of the account that has made the log, u32. */
export const ACCOUNT_ENTRY: usize = 0;
/** Number of topics, u32. */
export const TOPIC_COUNT: usize = 4;
/** Length of the data in bytes, u32. */
export const LENGTH: usize = 8;
/** Index among all logs that the message has made, including those of failed frames, u32. */
export const LOG_INDEX: usize = 12;
/** Length of the fields before the first topic. */
export const HEAD_BYTES: usize = 16;
