// The dev chain's first accounts, in the form that clients use.

export const PHRASE = 'test test test test test test test test test test test junk';
export const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
