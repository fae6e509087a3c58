import type { SharedNetworkState } from '../endpoints/network-state.js';
import { changeBetween } from './state-change.js';

interface EncodedChange {
  readonly version: number;
  readonly text: string;
}

/** Beyond so many characters of changes a node is sent the network itself. */
const longestChanges = 100_000;

/** A network as JSON, and what has changed in it: encoded once for all nodes. */
export class NetworkHistory {
  /** Grows with each change. */
  #version = 1;
  #complete: string | undefined;
  #changes: EncodedChange[] = [];
  #length = 0;

  constructor(private state: SharedNetworkState) {}

  get version(): number {
    return this.#version;
  }

  /** An object with at least one field. */
  get complete(): string {
    this.#complete ??= JSON.stringify({ ...this.state, names: [...this.state.names] });
    return this.#complete;
  }

  update(state: SharedNetworkState): void {
    if (state === this.state) return;
    const change = changeBetween(this.state, state);
    this.state = state;
    if (change === undefined) return;
    const text = JSON.stringify(change);
    this.#version += 1;
    this.#complete = undefined;
    this.#changes.push({ version: this.#version, text });
    this.#length += text.length;
    while (this.#length > longestChanges) this.#length -= this.#changes.shift()?.text.length ?? 0;
  }

  /** What has changed since a version, in this order; undefined when that is not known any more. */
  changesSince(version: number): readonly string[] | undefined {
    const first = this.#changes[0]?.version ?? this.#version + 1;
    if (version < first - 1) return undefined;
    return this.#changes.filter((change) => change.version > version).map(({ text }) => text);
  }
}
