// SPDX-License-Identifier: MIT
// What the contract set of contract-set.ts needs besides Uniswap's own artifacts: tokens, and loops of a known kind.
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

contract Token is ERC20 {
    constructor(string memory name, string memory symbol, uint256 supply) ERC20(name, symbol) {
        _mint(msg.sender, supply);
    }
}

contract Work {
    uint256[50] private words;

    constructor() {
        for (uint256 i = 0; i < 50; i++) words[i] = i + 1;
    }

    /// Hashes, divisions and modular products: 400 kgas with the transaction's own.
    function compute(uint256 seed) external pure returns (uint256 x) {
        unchecked {
            x = seed | 1;
            for (uint256 i = 1; i <= 1105; i++) {
                x = uint256(keccak256(abi.encode(x, i)));
                x = mulmod(x, x ^ i, type(uint256).max - 188) + x / (i | 3) + (x % (seed | 7)) + (x >> 5);
            }
        }
    }

    /// Additions, products and shifts of words, no memory: 129 kgas with the transaction's own.
    function arithmetic(uint256 seed) external pure returns (uint256 x) {
        unchecked {
            x = seed | 1;
            for (uint256 i = 0; i < 1026; i++) x = ((x * 6364136223846793005 + i) ^ (x >> 7)) + (x << 3);
        }
    }

    /// Reads and writes 50 slots.
    function touch(uint256 seed) external {
        unchecked {
            for (uint256 i = 0; i < 50; i++) words[i] = words[i] * 3 + (seed | 1);
        }
    }
}
