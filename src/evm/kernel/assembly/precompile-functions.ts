// A module of its own with the two precompiles that loop over integers, for where the addon does not serve. Runs on publisher
// and estimators.
export { compress } from './blake2f';
export { power } from './modexp';
