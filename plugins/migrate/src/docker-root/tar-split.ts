import { close, createReadStream, read } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { notImplemented, unavailable } from '@gantry/core/errors';
import type { Files } from '@gantry/lib-linux/files';

/** Kinds of the entries of tar-split: the content of a file, or bytes of the archive. */
const fileKind = 1;
const segmentKind = 2;

interface SplitEntry {
  readonly type: number;
  readonly name?: string;
  readonly name_raw?: string;
  readonly size?: number;
  readonly payload?: string | null;
}

/**
 * The archive that a layer was made from, byte by byte: Docker keeps all of it but the files' content, which is in the
 * layer's directory. https://pkg.go.dev/github.com/vbatts/tar-split
 */
export class TarSplit {
  /** @param directory of the layer's files. */
  constructor(
    private readonly file: string,
    private readonly directory: string,
    private readonly files: Pick<Files, 'openIn'>,
  ) {}

  /** Bytes of the archive. */
  async size(): Promise<number> {
    let size = 0;
    for await (const entry of this.#entries()) {
      size += entry.type === segmentKind ? Buffer.byteLength(entry.payload ?? '', 'base64') : (entry.size ?? 0);
    }
    return size;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for await (const entry of this.#entries()) {
      if (entry.type === segmentKind) yield Buffer.from(entry.payload ?? '', 'base64');
      else if (entry.type === fileKind && (entry.size ?? 0) > 0) yield* this.#content(nameOf(entry), entry.size ?? 0);
    }
  }

  async *#entries(): AsyncGenerator<SplitEntry> {
    const input = createReadStream(this.file);
    const expanded = input.pipe(createGunzip());
    input.on('error', (error) => expanded.destroy(error));
    try {
      for await (const line of createInterface({ input: expanded, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line !== '') yield JSON.parse(line) as SplitEntry;
      }
    } finally {
      input.destroy();
    }
  }

  async *#content(name: string, size: number): AsyncGenerator<Buffer> {
    // Links of an image must not lead out of its layer.
    const fd = this.files.openIn(this.directory, name);
    try {
      for (let at = 0; at < size; ) {
        const piece = Buffer.allocUnsafe(Math.min(2 ** 20, size - at));
        const { bytesRead } = await promisify(read)(fd, piece, 0, piece.length, at);
        if (bytesRead === 0) throw unavailable(`${name} has ${at} bytes, but its layer was made with ${size}`);
        yield piece.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await promisify(close)(fd);
    }
  }
}

function nameOf({ name, name_raw }: SplitEntry): string {
  if (name !== undefined) return name;
  const bytes = Buffer.from(name_raw ?? '', 'base64');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw notImplemented(`a file of the layer has the name ${JSON.stringify(text)}, which is not UTF-8`);
  return text;
}
