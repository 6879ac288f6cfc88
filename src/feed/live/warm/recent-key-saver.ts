// Keeps a live chain's recent keys from run to run: loads them, saves them at times and at the end.
import { LIMITS } from '../../../limits/index.js';
import type { RecentKeyFile } from './recent-key-file.js';
import { RecentKeys } from './recent-keys.js';

/** Saves keys until it is closed. */
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
    if (loaded.kind === 'keys') for (const key of loaded.keys) this.recent.add(key);
    else progress(`the recent keys cannot be loaded, so state is fetched on demand: ${loaded.reason}`);
    this.#timer = setInterval(() => this.#save(), LIMITS.warmSaveMs).unref();
  }

  /** Resolves when the current keys are on the disk, if the disk accepts them. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#save();
    return this.#saving;
  }

  /** Saves the keys, one save at a time. If they cannot be saved, each reason is logged once. */
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
