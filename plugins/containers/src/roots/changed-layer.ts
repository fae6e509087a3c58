import { PassThrough, type Readable } from 'node:stream';
import { archiveEnd, encodeEntry, paddingOf, type TarEntry, type TarHandler, TarReader } from '@gantry/lib-archive/tar';
import { isOwnPlace } from './own-places.js';

/**
 * The changes of a container's root as a layer, without the empty files and directories that a start makes to mount
 * something at. Undefined when nothing else was changed. The tar is consumed or destroyed.
 * @param mountPoints paths of mounts of the container, in the same sense
 * @param isChanged whether a directory itself differs from the layers below; called for those above such places, where
 * their entries leave that open.
 */
export async function changedLayer(
  tar: Readable,
  isChanged: (path: string, directory: TarEntry) => Promise<boolean>,
  mountPoints: readonly string[] = [],
): Promise<Readable | undefined> {
  const pieces = sieve(tar, isChanged, new Set(mountPoints));
  const first = await pieces.next();
  if (first.done === true) return undefined;
  const layer = new PassThrough();
  void pump(first.value, pieces, layer);
  return layer;
}

async function pump(first: Buffer, pieces: AsyncGenerator<Buffer>, layer: PassThrough): Promise<void> {
  const roomOrEnd = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        layer.off('drain', done).off('close', done);
        resolve();
      };
      layer.on('drain', done).on('close', done);
    });
  try {
    for (let piece: Buffer | undefined = first; piece !== undefined; ) {
      if (!layer.write(piece)) await roomOrEnd();
      if (layer.destroyed) return;
      const next: IteratorResult<Buffer> = await pieces.next();
      piece = next.done === true ? undefined : next.value;
    }
    layer.end();
  } catch (error) {
    layer.destroy(error as Error);
  } finally {
    await pieces.return(undefined);
  }
}

async function* sieve(
  tar: Readable,
  isChanged: (path: string, directory: TarEntry) => Promise<boolean>,
  mountPoints: ReadonlySet<string>,
): AsyncGenerator<Buffer> {
  const kept = new KeptEntries(mountPoints);
  const reader = new TarReader(kept);
  try {
    for await (const piece of tar as AsyncIterable<Buffer>) {
      reader.push(piece);
      yield* kept.take();
    }
    reader.finish();
    for (const [path, entry] of kept.ambiguous) {
      if (!(await isChanged(path, entry))) kept.leaveOut(path);
    }
    kept.finish();
    yield* kept.take();
  } finally {
    tar.destroy();
  }
}

/** Writes entries again as they were, those left out excepted. */
class KeptEntries implements TarHandler {
  #pieces: Buffer[] = [];
  #hasEntries = false;
  #isKept = false;
  #size = 0;
  /** Directories change when something is made in them, so whether those above own places belong to the layer shows later. */
  readonly #held = new Map<string, { readonly entry: TarEntry; hasOwnPlace: boolean }>();
  readonly #above: ReadonlySet<string>;

  /** @param mountPoints more places of the kind that the engine mounts something at. */
  constructor(private readonly mountPoints: ReadonlySet<string>) {
    this.#above = new Set(['/etc', ...[...mountPoints].flatMap(directoriesAbove)]);
  }

  /** Directories of which all that is known to have changed in them are places of the engine's own. */
  get ambiguous(): readonly (readonly [path: string, entry: TarEntry])[] {
    return [...this.#held].filter(([, { hasOwnPlace }]) => hasOwnPlace).map(([path, { entry }]) => [path, entry]);
  }

  take(): Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  raw(): void {
    // All headers are written anew.
  }

  begin(entry: TarEntry): void {
    const path = `/${entry.name.replace(/\/$/, '')}`;
    const isOwn = isOwnPlace(path) || this.mountPoints.has(path);
    const isEmpty = entry.type === 'directory' || (entry.type === 'file' && entry.size === 0);
    const isHeld = entry.type === 'directory' && this.#above.has(path);
    this.#isKept = !(isHeld || (isOwn && isEmpty));
    this.#size = entry.type === 'file' ? entry.size : 0;
    if (this.#isKept) {
      for (const directory of directoriesAbove(path)) this.#release(directory);
      this.#write(entry);
      return;
    }
    if (isHeld) this.#held.set(path, { entry, hasOwnPlace: false });
    if (!isOwn) return;
    for (const directory of [...directoriesAbove(path), path]) {
      const held = this.#held.get(directory);
      if (held !== undefined && (directory !== path || path !== '/etc')) held.hasOwnPlace = true;
    }
  }

  payload(bytes: Buffer): void {
    if (this.#isKept) this.#pieces.push(bytes);
  }

  end(): void {
    const padding = this.#isKept ? paddingOf(this.#size) : 0;
    if (padding > 0) this.#pieces.push(Buffer.alloc(padding));
  }

  leaveOut(path: string): void {
    this.#held.delete(path);
  }

  finish(): void {
    for (const path of [...this.#held.keys()]) this.#release(path);
    if (this.#hasEntries) this.#pieces.push(archiveEnd);
  }

  #release(path: string): void {
    const held = this.#held.get(path);
    if (held !== undefined) this.#write(held.entry);
    this.#held.delete(path);
  }

  #write(entry: TarEntry): void {
    this.#hasEntries = true;
    this.#pieces.push(encodeEntry(entry));
  }
}

/** From the top down, without the root. */
function directoriesAbove(path: string): readonly string[] {
  const names = path.split('/').slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`);
}
