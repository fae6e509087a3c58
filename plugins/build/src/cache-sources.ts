import { createHash } from 'node:crypto';
import { conflict, kindOf } from '@gantry/core/errors';
import type { ImageConfig } from '@gantry/images/service';
import { canonical } from './cache.js';
import type { BuildParts } from './parts.js';
import type { StageConfig, StageState } from './stage-state.js';

interface HistoryItem {
  readonly created?: string;
  readonly created_by?: string;
  readonly empty_layer?: boolean;
}

/** What is read of an image's document. */
interface ImageDocument {
  readonly architecture: string;
  readonly os: string;
  readonly created?: string;
  readonly config?: ImageConfig;
  readonly history?: readonly HistoryItem[];
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

interface Source {
  readonly id: string;
  readonly document: ImageDocument;
  readonly history: readonly HistoryItem[];
}

/** How far a stage has come in the history of a source, without an image of its own so far. */
interface Progress {
  readonly source: Source;
  readonly count: number;
  /** The image the stage stood on before. */
  readonly base: string | undefined;
  /** Of the image that stands for this point; undefined when that is the source itself. */
  readonly configuration: string | undefined;
}

/** Images from elsewhere that the client trusts to be what they say: a step in their history need not run again. */
export class CacheSources {
  #sources: readonly Source[] | undefined;
  readonly #progress = new Map<StageState, Progress>();
  readonly #holds: (() => void)[] = [];

  constructor(
    private readonly parts: Pick<BuildParts, 'images' | 'exchange'>,
    /** Those that are not here are passed over. */
    private readonly names: readonly string[],
  ) {}

  /** Takes the stage one step further if a source has the step next. @returns whether it has. */
  advance(state: StageState, command: readonly string[], config: StageConfig, container: object): boolean {
    if (this.names.length === 0) return false;
    const createdBy = command.join(' ');
    const now = this.#progress.get(state);
    const begun = now === undefined ? this.#begun(state.imageId) : [{ source: now.source, count: now.count }];
    const next = begun.find(({ source, count }) => source.history[count]?.created_by === createdBy);
    if (next === undefined) return false;
    const { source } = next;
    const count = next.count + 1;
    const isWhole = count === source.history.length && canonical(source.document.config ?? {}) === canonical(config);
    const configuration = isWhole ? undefined : partOf(source, count, config, container, state.author);
    this.#progress.set(state, { source, count, configuration, base: now === undefined ? state.imageId : now.base });
    state.imageId = configuration === undefined ? source.id : digestOf(configuration);
    return true;
  }

  /** Makes the image that the stage stands on one of this engine. Rejects `conflict` when the source went meanwhile. */
  async settle(state: StageState): Promise<void> {
    const progress = this.#progress.get(state);
    this.#progress.delete(state);
    if (progress?.configuration === undefined) return;
    const { configuration, base } = progress;
    const openLayer = (_index: number, diffId: string): never => {
      throw conflict(`layer ${diffId} of the image to take steps from is gone`);
    };
    await this.parts.exchange.add({
      configuration,
      openLayer,
      references: [],
      ...(base !== undefined && { parent: base }),
    });
  }

  release(): void {
    for (const letGo of this.#holds.splice(0)) letGo();
  }

  /** The sources that begin like an image, and where they go on. */
  #begun(imageId: string | undefined): readonly { readonly source: Source; readonly count: number }[] {
    this.#sources ??= this.names.flatMap((name) => this.#open(name));
    const { history, document } = imageId === undefined ? { history: [], document: undefined } : this.#read(imageId);
    const layers = document?.rootfs.diff_ids ?? [];
    return this.#sources
      .filter(
        (source) =>
          history.every((item, index) => canonical(item) === canonical(source.history[index] ?? {})) &&
          layers.every((diffId, index) => diffId === source.document.rootfs.diff_ids[index]) &&
          layerCount(history) === layers.length,
      )
      .map((source) => ({ source, count: history.length }));
  }

  #open(name: string): readonly Source[] {
    try {
      const source = this.#read(this.parts.images.get(name).id);
      if (layerCount(source.history) !== source.document.rootfs.diff_ids.length) return [];
      this.#holds.push(this.parts.images.hold(source.id));
      return [source];
    } catch (error) {
      if (kindOf(error) !== 'not-found' && kindOf(error) !== 'invalid-argument') throw error;
      return [];
    }
  }

  #read(id: string): Source {
    const document = JSON.parse(this.parts.exchange.content(id).configuration) as ImageDocument;
    const { history = [], rootfs, created } = document;
    const isTold = history !== null && history.length > 0;
    const untold = rootfs.diff_ids.map(() => ({ ...(created !== undefined && { created }) }));
    return { id, document, history: isTold ? history : untold };
  }
}

const layerCount = (history: readonly HistoryItem[]): number =>
  history.filter(({ empty_layer: isEmpty }) => isEmpty !== true).length;

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The document of a source as it was when it had so many steps, with the configuration that this build made. */
function partOf(
  { document, history }: Source,
  count: number,
  config: StageConfig,
  container: object,
  author: string,
): string {
  const items = history.slice(0, count);
  const created = items.at(-1)?.created ?? document.created;
  return JSON.stringify({
    architecture: document.architecture,
    ...(author !== '' && { author }),
    config,
    container_config: container,
    ...(created !== undefined && { created }),
    history: items,
    os: document.os,
    rootfs: { type: 'layers', diff_ids: document.rootfs.diff_ids.slice(0, layerCount(items)) },
  });
}
