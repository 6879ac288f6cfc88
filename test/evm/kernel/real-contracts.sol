// SPDX-License-Identifier: MIT
// Small concrete contracts on top of real ones, for test/evm/kernel/real-contracts.test.ts.
pragma solidity ^0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

contract Coin is ERC20Permit {
    constructor(string memory name) ERC20(name, name) ERC20Permit(name) {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

contract Vault is ERC4626 {
    constructor(IERC20 coin) ERC20("Vault", "V") ERC4626(coin) {}
}

contract Item is ERC721 {
    constructor() ERC721("Item", "I") {}

    function mint(address to, uint256 id) external {
        _safeMint(to, id);
    }
}

contract Items is ERC1155 {
    constructor() ERC1155("https://example.org/{id}") {}

    function mint(address to, uint256[] memory ids, uint256[] memory values) external {
        _mintBatch(to, ids, values, "");
    }
}

contract Holder is ERC721Holder, ERC1155Holder {}

contract Box {
    error TooLarge(uint256 value, string why);

    event Stored(address indexed by, uint256 value);

    uint256 public value;
    string public name;
    mapping(address => uint256[]) internal history;

    function initialize(string calldata newName) external {
        name = newName;
    }

    function store(uint256 newValue) external payable virtual {
        if (newValue > 1000) revert TooLarge(newValue, "at most a thousand can be stored in a box of this kind");
        value = newValue;
        history[msg.sender].push(newValue);
        emit Stored(msg.sender, newValue);
    }
}

contract Box2 is Box {
    function store(uint256 newValue) external payable override {
        unchecked {
            value += newValue;
        }
        delete history[msg.sender];
        emit Stored(msg.sender, value);
    }

    function divide(uint256 by) external view returns (uint256) {
        return value / by;
    }
}

contract CloneMaker {
    function make(address target, bytes32 salt) external returns (address made) {
        made = Clones.cloneDeterministic(target, salt);
        Box(made).store(7);
    }
}

contract Multicall {
    struct Call {
        address target;
        bool mayFail;
        uint256 value;
        bytes data;
    }

    struct Result {
        bool success;
        bytes data;
    }

    function aggregate(Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory data) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            require(success || calls[i].mayFail, "a call has failed");
            results[i] = Result(success, data);
        }
    }
}

interface Pair {
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
    function token0() external view returns (address);
}

contract FlashBorrower {
    function borrow(Pair pair, uint256 amount, uint256 repaid) external {
        pair.swap(amount, 0, address(this), abi.encode(repaid));
    }

    function uniswapV2Call(address, uint256, uint256, bytes calldata data) external {
        IERC20(Pair(msg.sender).token0()).transfer(msg.sender, abi.decode(data, (uint256)));
    }
}

contract Worker {
    mapping(uint256 => uint256) internal cells;

    function sort(uint256 length, uint256 seed) external pure returns (uint256[] memory list) {
        list = new uint256[](length);
        for (uint256 i = 0; i < length; i++) list[i] = uint256(keccak256(abi.encode(seed, i)));
        for (uint256 i = 1; i < length; i++) {
            uint256 item = list[i];
            uint256 j = i;
            for (; j > 0 && list[j - 1] > item; j--) list[j] = list[j - 1];
            list[j] = item;
        }
    }

    function fill(uint256 from, uint256 to, uint256 value) external {
        for (uint256 i = from; i < to; i++) cells[i] = value;
    }

    function words(string calldata text) external pure returns (bytes32 hash, string memory copy) {
        for (uint256 i = 0; i < 20; i++) copy = string.concat(copy, text);
        hash = sha256(bytes(copy));
    }
}
