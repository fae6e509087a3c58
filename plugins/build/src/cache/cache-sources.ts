import { createHash } from 'node:crypto';
import type { LayerSource } from '@gantry/core/contracts';
import { conflict, kindOf } from '@gantry/core/errors';
import type { ImageConfig, ImageExchange, ImageService } from '@gantry/images/service';
import type { CacheImport } from '../contract/build-request.js';
import type { StageConfig, StageState } from '../stage/stage-state.js';
import { canonical } from './canonical.js';
import { keyOfStep } from './key-of-step.js';

interface HistoryItem {
  readonly created?: string;
  readonly created_by?: string;
  readonly 'gantry.step'?: string;
  readonly empty_layer?: boolean;
}

/** The used fields of an image configuration. */
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
  /** Where it comes from, when it is not stored. */
  readonly imported?: CacheImport;
}

/** The position of a stage in the history of a source. No image is stored for it yet. */
interface Progress {
  readonly source: Source;
  readonly count: number;
  /** The image that the stage was at before. */
  readonly base: string | undefined;
  /** Configuration of the image at this position; undefined when that is the source itself, and stored. */
  readonly configuration: string | undefined;
}

interface NextStep {
  readonly command: readonly string[];
  readonly config: StageConfig;
  readonly container: object;
  /** It stands in the history of the image. */
  readonly isNoted: boolean;
}

/** Images whose history the client trusts: a step that is next in it is not executed. */
export class CacheSources {
  #sources: readonly Source[] | undefined;
  readonly #progress = new Map<StageState, Progress>();
  readonly #holds: (() => void)[] = [];

  constructor(
    private readonly images: ImageService,
    private readonly exchange: ImageExchange,
    /** Absent ones are ignored. */
    private readonly names: readonly string[],
    private readonly imports: readonly CacheImport[] = [],
  ) {}

  get isEmpty(): boolean {
    return this.names.length === 0 && this.imports.length === 0;
  }

  /** Advances the stage if the step is next in a source, or stands in no history. @returns whether it does. */
  advance(state: StageState, { command, config, container, isNoted }: NextStep): boolean {
    if (this.isEmpty) return false;
    const [createdBy, key] = [command.join(' '), keyOfStep(command)];
    const isNext = (item: HistoryItem = {}): boolean =>
      item['gantry.step'] === undefined ? item.created_by === createdBy : item['gantry.step'] === key;
    const now = this.#progress.get(state);
    const begun = now === undefined ? this.#startingWith(state.imageId) : [{ source: now.source, count: now.count }];
    const next = begun.find(({ source, count }) => !isNoted || isNext(source.history[count]));
    if (next === undefined) return false;
    const { source } = next;
    const count = next.count + (isNoted ? 1 : 0);
    const isWhole = count === source.history.length && canonical(source.document.config ?? {}) === canonical(config);
    const part = (): string => partOf(source, count, config, container, state.author);
    const configuration = isWhole ? source.imported?.configuration : part();
    this.#progress.set(state, { source, count, configuration, base: now === undefined ? state.imageId : now.base });
    state.imageId = configuration === undefined ? source.id : digestOf(configuration);
    return true;
  }

  /** Stores the image that the stage is at. Rejects `conflict` when the source was removed meanwhile. */
  async settle(state: StageState): Promise<void> {
    const progress = this.#progress.get(state);
    this.#progress.delete(state);
    if (progress?.configuration === undefined) return;
    const { configuration, base, source } = progress;
    const openLayer = (index: number, diffId: string): Promise<LayerSource> => {
      if (source.imported !== undefined) return source.imported.openLayer(index, diffId);
      throw conflict(`layer ${diffId} of a cache source is gone`);
    };
    await this.exchange.add({
      configuration,
      openLayer,
      references: [],
      ...(base !== undefined && { parent: base }),
    });
  }

  release(): void {
    for (const release of this.#holds.splice(0)) release();
  }

  /** The sources whose history starts with that of the image, with the position after it. */
  #startingWith(imageId: string | undefined): readonly { readonly source: Source; readonly count: number }[] {
    this.#sources ??= [...this.names.flatMap((name) => this.#open(name)), ...this.imports.flatMap(imported)];
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
      const source = this.#read(this.images.get(name).id);
      if (layerCount(source.history) !== source.document.rootfs.diff_ids.length) return [];
      this.#holds.push(this.images.hold(source.id));
      return [source];
    } catch (error) {
      if (kindOf(error) !== 'not-found' && kindOf(error) !== 'invalid-argument') throw error;
      return [];
    }
  }

  #read(id: string): Source {
    return sourceOf(id, this.exchange.content(id).configuration);
  }
}

function sourceOf(id: string, configuration: string): Source {
  const document = JSON.parse(configuration) as ImageDocument;
  const { history = [], rootfs, created } = document;
  const hasHistory = history !== null && history.length > 0;
  const implied = rootfs.diff_ids.map(() => ({ ...(created !== undefined && { created }) }));
  return { id, document, history: hasHistory ? history : implied };
}

/** An image from elsewhere; none for a document that is no image's. */
function imported(from: CacheImport): readonly Source[] {
  try {
    const source = sourceOf(digestOf(from.configuration), from.configuration);
    return layerCount(source.history) === source.document.rootfs.diff_ids.length ? [{ ...source, imported: from }] : [];
  } catch {
    return [];
  }
}

const layerCount = (history: readonly HistoryItem[]): number =>
  history.filter(({ empty_layer: isEmpty }) => isEmpty !== true).length;

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The configuration document of a source's first steps, with the configuration of this build. */
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
