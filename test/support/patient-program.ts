// Loaded into every thread of the program before anything else, where what is tested is what it answers and not its deadlines: an
// execution may take as long as the machine needs for it. (Both engines, one after the other, take seconds for some simulations.)
import { LIMITS } from '../../src/limits.js';
import { UNLIMITED_MS } from './patience.js';

Object.assign(LIMITS, { estimateMsMax: UNLIMITED_MS });
