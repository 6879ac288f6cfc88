// Preserves a live chain's recently used keys between runs of the program: loads them at the start, and saves them
// regularly and at the end.
import { LIMITS } from '../../../limits/index.js';
import type { RecentKeyFile } from './recent-key-file.js';
import { RecentKeys } from './recent-keys.js';

/** Saves the recently used keys until it is closed. */
export class RecentKeySaver {
  readonly recent = new RecentKeys();
  readonly #file: RecentKeyFile;
  readonly #progress: (text: string) => void;
  readonly #timer: NodeJS.Timeout;
  #saving: Promise<void> = Promise.resolve();
  #reported: string | null = null;

  constructor(file: RecentKeyFile, progress: (text: string) => void) {
    this.#file = file;
    this.#progress = progress;
    const loaded = file.load();
    if (typeof loaded === 'string')
      progress(`the recent keys cannot be loaded, so state is fetched on demand: ${loaded}`);
    else for (const key of loaded) this.recent.add(key);
    this.#timer = setInterval(() => this.#save(), LIMITS.warmSaveMs).unref();
  }

  /** Saves the keys once more. Resolves when they are on the disk, or could not be written. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#save();
    return this.#saving;
  }

  /** Saves the keys, one save after the other. If they cannot be saved, each reason is logged once. */
  #save(): void {
    const file = this.#file;
    this.#saving = this.#saving
      .then(() => file.save(this.recent.all()))
      .catch((error: unknown) => {
        const { message } = error as Error;
        if (message !== this.#reported) this.#progress(`recent keys cannot be kept: ${message}`);
        this.#reported = message;
      });
  }
}
