// Builds the addon of plain reads. Runs in `npm run build` only.
import { buildAddon } from '../../lib/addon/build.js';
import { ADDON } from './sources.js';

buildAddon(ADDON);
