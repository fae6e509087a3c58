import { PassThrough, type Readable } from 'node:stream';
import { archiveEnd, encodeEntry, paddingOf, type TarEntry, type TarHandler, TarReader } from '@gantry/lib-archive/tar';
import { isOwnPlace } from './own-places.js';

/**
 * The changes of a container's root as a layer, without the empty files and directories that a start makes to mount
 * something at. Undefined when nothing else was changed. The tar is consumed or destroyed.
 * @param mountPoints paths of mounts of the container, in the same sense
 * @param isEtcChanged whether `/etc` itself differs from the layers below; called where its entry leaves that open.
 */
export async function changedLayer(
  tar: Readable,
  isEtcChanged: (etc: TarEntry) => Promise<boolean>,
  mountPoints: readonly string[] = [],
): Promise<Readable | undefined> {
  const pieces = sieve(tar, isEtcChanged, new Set(mountPoints));
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
  isEtcChanged: (etc: TarEntry) => Promise<boolean>,
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
    const { ambiguousEtc } = kept;
    kept.finish(ambiguousEtc === undefined || (await isEtcChanged(ambiguousEtc)));
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
  /** `/etc` changes when files are made in it, so whether it belongs to the layer shows later. */
  #etc: TarEntry | undefined;
  #hasOwnFiles = false;

  /** More places of the kind that the engine mounts something at. */
  constructor(private readonly mountPoints: ReadonlySet<string>) {}

  /** `/etc`, when all that is known to have changed in it are files of the engine's own. */
  get ambiguousEtc(): TarEntry | undefined {
    return this.#hasOwnFiles ? this.#etc : undefined;
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
    this.#isKept = !(isOwn && (entry.type === 'directory' || (entry.type === 'file' && entry.size === 0)));
    this.#size = entry.type === 'file' ? entry.size : 0;
    if (this.#isKept) {
      if (path.startsWith('/etc/')) this.#settleEtc(true);
      this.#write(entry);
    } else if (path === '/etc') this.#etc = entry;
    else if (path.startsWith('/etc/')) this.#hasOwnFiles = true;
  }

  payload(bytes: Buffer): void {
    if (this.#isKept) this.#pieces.push(bytes);
  }

  end(): void {
    const padding = this.#isKept ? paddingOf(this.#size) : 0;
    if (padding > 0) this.#pieces.push(Buffer.alloc(padding));
  }

  finish(keepsEtc: boolean): void {
    this.#settleEtc(keepsEtc);
    if (this.#hasEntries) this.#pieces.push(archiveEnd);
  }

  #settleEtc(isKept: boolean): void {
    if (this.#etc !== undefined && isKept) this.#write(this.#etc);
    this.#etc = undefined;
  }

  #write(entry: TarEntry): void {
    this.#hasEntries = true;
    this.#pieces.push(encodeEntry(entry));
  }
}
