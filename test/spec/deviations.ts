// Official tests that are known not to pass, and why. Runs on the main thread of the command.

/** Tests whose name and network match, and the reason. */
interface Deviation {
  readonly test: RegExp;
  readonly fork: RegExp;
  readonly reason: string;
}

const DEVIATIONS: readonly Deviation[] = [
  { test: /./, fork: /Dao/, reason: 'the DAO fork is not supported' },
  { test: /./, fork: /AtDiff/, reason: 'the merge is told by block, not by total difficulty' },
  { test: /bcUncle|[Uu]ncle/, fork: /./, reason: 'uncles are paid for, their headers are not judged' },
  {
    test: /[Dd]ifficulty/,
    fork: /^(Frontier|Homestead|EIP15|Byz|Const|Ist|Muir|Berlin|London|Arrow|Gray)/,
    reason: 'difficulty is not computed',
  },
];

/** Why the test may fail; `null`: it may not. */
export function deviationOf(name: string, fork: string): string | null {
  return DEVIATIONS.find((known) => known.test.test(name) && known.fork.test(fork))?.reason ?? null;
}
