// Parses a chain's description from the configuration file of its rollup node (`rollup.json`).
import { StartError } from '../../lib/start-error.js';
import { firstUnknownFork } from '../active-forks.js';
import type { ParsedChainFile } from '../chain-description.js';
import { ConfigJsonReader } from '../config-json-reader.js';
import { OP_FORK_NAMES, opChainDescription, type OpFork } from './forks.js';
import { errorMessage } from '../../lib/error-message.js';

/** Default EIP-1559 parameters, which the superchain's chains use. */
const ELASTICITY = 6;
const DENOMINATOR = 250;

/** Parses the text of the file. Throws a StartError with the name `file` and the reason if it is malformed. */
export function parseRollupConfig(file: string, text: string): ParsedChainFile {
  try {
    return describe(ConfigJsonReader.parse(text));
  } catch (error) {
    const reason = errorMessage(error);
    throw new StartError(`${file} is not a usable rollup configuration: ${reason}`, 2);
  }
}

/** Known keys with the suffix `_time`: the block time, and forks that change nothing in execution from Ecotone on. */
const OTHER_TIMES = ['block_time', 'regolith_time', 'canyon_time', 'delta_time', 'pectra_blob_schedule_time'];

function describe(fields: ConfigJsonReader): ParsedChainFile {
  const times = OP_FORK_NAMES.map((fork) => [fork, fields.optionalInteger(`${fork}_time`)]);
  const fees = fields.optionalObject('chain_op_config');
  const chain = opChainDescription({
    chainId: fields.number('l2_chain_id'),
    canyon: fields.optionalInteger('canyon_time') ?? fields.integer('ecotone_time'),
    ...(Object.fromEntries(times) as Record<OpFork, number | null>),
    elasticity: fees?.optionalInteger('eip1559Elasticity') ?? ELASTICITY,
    denominator: fees?.optionalInteger('eip1559DenominatorCanyon') ?? DENOMINATOR,
  });
  const known = [...OTHER_TIMES, ...OP_FORK_NAMES.map((fork) => `${fork}_time`)];
  return { chain, unknown: firstUnknownFork(fields, /_time$/, known) };
}
