// The EVM kernel: what the host calls.
export function version(): u32 {
  return 1;
}
