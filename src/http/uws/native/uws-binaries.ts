// Which binaries of uWebSockets.js are built into the program. Used on main and by `npm run build`.

// The binaries of uWebSockets.js come from `@btc-vision/uwebsockets.js`, fixed by version and SHA-256, because npm has
// neither the sources of uWebSockets.js nor its own builds. They are version 20.57 for Node 20, 22, 24 and 25 on Linux.
// The binaries for macOS and Windows are left out, because the HTTP guard exists only for Linux. See DECISIONS.md.

/** ABI versions of Node.js 20, 22, 24 and 25, for which there are binaries. */
export const NODE_ABIS = ['115', '127', '137', '141'] as const;

/**
 * SHA-256 of the files in npm's `@btc-vision/uwebsockets.js@20.57.0`, by platform, architecture and ABI. The
 * maintainers of that package have compiled them from uWebSockets.js 20.57. A file with another hash is left out.
 */
export const BINARY_SHA256: Readonly<Record<string, string>> = {
  linux_arm64_115: '6bdbc8ff976b4371af1906175e9025804bacc38a414969f4f02314e6b99f206c',
  linux_arm64_127: '82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895',
  linux_arm64_137: '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
  linux_arm64_141: '81d0186dd1549ed6a7f47e68e323573fc27d69d2920527654ce2dd993af2b0ec',
  linux_x64_115: '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91',
  linux_x64_127: '4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac',
  linux_x64_137: '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
  linux_x64_141: '813d788b347c6fd76b779d8932311ec05a044e612b4b83af220f16e6ea789683',
};

/** Returns the name of a binary. `platform` and `architecture` are Node.js's names. */
export function uwsBinaryName(platform: string, architecture: string, abi: string): string {
  return `${platform}_${architecture}_${abi}`;
}
