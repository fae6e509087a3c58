import type { LayerSource } from '@gantry/core/contracts';
import { internal, messageOf } from '@gantry/core/errors';
import { progressItem } from '@gantry/core/http';
import { shortId } from '@gantry/images/service';
import type { Downloads, HeldBlob } from '../downloads/downloads.js';
import { type Progress, step, throttled } from '../progress.js';
import { openBlob } from '../remote/blobs.js';
import { type Access, fromFirst } from '../remote/endpoints.js';
import type { Descriptor } from '../remote/manifest.js';
import { RegistryError } from '../transport/registry-error.js';

/** One layer of a pull: its download and its progress. */
export class LayerFetch {
  readonly id: string;
  #held: Promise<HeldBlob> | undefined;
  #isUsed = false;

  constructor(
    private readonly layer: Descriptor,
    private readonly access: Access,
    private readonly downloads: Downloads,
    private readonly progress: Progress,
    private readonly signal: AbortSignal,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.id = shortId(layer.digest);
  }

  /** Downloads from here on, or waits for a place to. */
  begin(): void {
    if (this.#held !== undefined) return;
    const { layer, progress, id, signal } = this;
    const bytes = throttled((current) => progress(progressItem('Downloading', id, current, layer.size)));
    this.#held = this.downloads.get(
      { blob: layer, open: (offset, stop) => this.#open(offset, stop) },
      {
        waiting: () => progress(step('Waiting', id)),
        bytes: (current) => bytes(current, current === layer.size),
        retrying: (seconds) => progress(step(`Retrying in ${seconds} second${seconds === 1 ? '' : 's'}`, id)),
        verifying: () => progress(step('Verifying Checksum', id)),
      },
      signal,
    );
    this.#held.then(
      () => progress(step('Download complete', id)),
      (error: unknown) => this.onFailure(error),
    );
  }

  /** The layer, ready to be extracted. */
  async open(): Promise<LayerSource> {
    this.begin();
    const held = await this.#held;
    if (held === undefined) throw internal(`layer ${this.id} was not fetched`);
    this.progress(progressItem('Extracting', this.id, 0, this.layer.size));
    return { file: held.file };
  }

  /** The layer is here, extracted by this pull or by another. */
  finished(opened: boolean): void {
    this.#isUsed = true;
    if (opened) this.progress(progressItem('Extracting', this.id, this.layer.size, this.layer.size));
    this.progress(step(opened ? 'Pull complete' : 'Already exists', this.id));
  }

  /** The content is not what it should be: no use to keep it. */
  reject(): void {
    this.#isUsed = true;
  }

  async release(): Promise<void> {
    const held = await this.#held?.catch(() => undefined);
    await held?.release(this.#isUsed);
  }

  #open(offset: number, signal: AbortSignal) {
    const { access, layer } = this;
    return fromFirst(
      access.sources,
      (source) => openBlob(source, access.repository, layer, offset, signal),
      signal,
    ).catch((error: unknown) => {
      const isForeign = (layer.urls ?? []).length > 0 && error instanceof RegistryError && error.status === 404;
      if (!isForeign) throw error;
      // Following it would let the author of a manifest choose where this engine connects to.
      throw internal(
        `layer ${layer.digest} is kept outside of the registry, at addresses that are not followed: ${messageOf(error)}`,
        { cause: error },
      );
    });
  }
}
