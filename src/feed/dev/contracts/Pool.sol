// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// A constant-product pool of two tokens that keeps 0.3 % of what comes in. Its refusals are reason strings.
/// The dev chain's genesis writes the tokens and the reserves by their slots.
contract Pool {
    event Swap(address indexed sender, address indexed tokenIn, uint256 amountIn, uint256 amountOut, address indexed to);
    event Sync(uint112 reserve0, uint112 reserve1);

    address public token0;
    address public token1;
    uint112 private reserve0;
    uint112 private reserve1;
    bool private transient entered;

    constructor(address token0_, address token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    modifier once() {
        require(!entered, "Pool: locked");
        entered = true;
        _;
        entered = false;
    }

    function reserves() external view returns (uint112, uint112) {
        return (reserve0, reserve1);
    }

    /// What `amountIn` of `tokenIn` buys now.
    function quote(address tokenIn, uint256 amountIn) public view returns (uint256 amountOut) {
        require(tokenIn == token0 || tokenIn == token1, "Pool: unknown token");
        require(amountIn > 0 && amountIn <= type(uint112).max, "Pool: bad input amount");
        (uint256 held, uint256 sold) = tokenIn == token0 ? (reserve0, reserve1) : (reserve1, reserve0);
        require(held > 0 && sold > 0, "Pool: no liquidity");
        uint256 kept = amountIn * 997;
        return (kept * sold) / (held * 1000 + kept);
    }

    /// Takes `amountIn` of `tokenIn` from the caller (who has approved it) and sends the other token to `to`.
    function swap(address tokenIn, uint256 amountIn, uint256 amountOutMin, address to)
        external
        once
        returns (uint256 amountOut)
    {
        amountOut = quote(tokenIn, amountIn);
        require(amountOut >= amountOutMin, "Pool: insufficient output amount");
        address tokenOut = tokenIn == token0 ? token1 : token0;
        require(IToken(tokenIn).transferFrom(msg.sender, address(this), amountIn), "Pool: transfer in failed");
        require(IToken(tokenOut).transfer(to, amountOut), "Pool: transfer out failed");
        update();
        emit Swap(msg.sender, tokenIn, amountIn, amountOut, to);
    }

    /// Takes whatever the pool holds as its reserves: liquidity is added by sending tokens and calling this.
    function sync() external once {
        update();
    }

    function update() private {
        uint256 held0 = IToken(token0).balanceOf(address(this));
        uint256 held1 = IToken(token1).balanceOf(address(this));
        require(held0 <= type(uint112).max && held1 <= type(uint112).max, "Pool: overflow");
        reserve0 = uint112(held0);
        reserve1 = uint112(held1);
        emit Sync(reserve0, reserve1);
    }
}
