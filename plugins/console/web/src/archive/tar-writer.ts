export interface TarFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly content: Blob;
  readonly mode?: number;
  readonly modified?: number;
}

const block = 512;
const encoder = new TextEncoder();

/** An archive of files; their content is referred to, not copied. */
export function createTar(files: readonly TarFile[]): Blob {
  const parts: BlobPart[] = [];
  for (const { path, content, mode = 0o644, modified = Date.now() } of files) {
    const name = encoder.encode(path);
    if (name.length > 100 || content.size >= 8 ** 11) {
      const records = encoder.encode(record('path', path) + record('size', String(content.size)));
      parts.push(header(encoder.encode('PaxHeader'), records.length, 0o644, modified, 'x'), pad(records));
    }
    parts.push(header(name.slice(0, 100), content.size, mode, modified, '0'), content);
    parts.push(new Uint8Array((block - (content.size % block)) % block));
  }
  parts.push(new Uint8Array(2 * block));
  return new Blob(parts, { type: 'application/x-tar' });
}

/** A record of a PAX header, which begins with its own length. */
function record(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + 1;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${key}=${value}\n`;
}

function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil(bytes.length / block) * block);
  padded.set(bytes);
  return padded;
}

function header(name: Uint8Array, size: number, mode: number, modified: number, type: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(block);
  const write = (at: number, text: string): void => bytes.set(encoder.encode(text), at);
  const octal = (at: number, width: number, value: number): void =>
    write(
      at,
      `${value
        .toString(8)
        .padStart(width - 1, '0')
        .slice(-(width - 1))}\0`,
    );
  bytes.set(name);
  octal(100, 8, mode);
  octal(108, 8, 0);
  octal(116, 8, 0);
  octal(124, 12, size);
  octal(136, 12, Math.floor(modified / 1000));
  write(148, '        ');
  write(156, type);
  write(257, 'ustar\x0000');
  octal(
    148,
    7,
    bytes.reduce((sum, byte) => sum + byte, 0),
  );
  return bytes;
}
