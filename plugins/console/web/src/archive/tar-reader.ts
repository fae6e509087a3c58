export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly size: number;
  readonly mode: number;
  readonly modified: number;
  readonly target: string;
}

const block = 512;
const decoder = new TextDecoder();

/** Reads the entries of an archive as its bytes come; contents are skipped, except those `keep` asks for. */
export class TarReader {
  private buffer = new Uint8Array(0);
  private skip = 0;
  private pending: Record<string, string> = {};
  private collecting: { readonly size: number; readonly done: (content: Uint8Array) => void } | undefined;

  constructor(
    private readonly receive: (entry: TarEntry) => void,
    private readonly keep: (entry: TarEntry, content: Uint8Array) => void = () => {},
    private readonly wanted: (entry: TarEntry) => boolean = () => false,
  ) {}

  push(chunk: Uint8Array): void {
    let input = chunk;
    if (this.skip > 0) {
      const skipped = Math.min(this.skip, input.length);
      this.skip -= skipped;
      input = input.subarray(skipped);
    }
    const joined = new Uint8Array(this.buffer.length + input.length);
    joined.set(this.buffer);
    joined.set(input, this.buffer.length);
    this.buffer = joined;
    while (this.step());
  }

  /** @returns whether there may be another step */
  private step(): boolean {
    if (this.skip > 0) return false;
    if (this.collecting !== undefined) {
      const { size, done } = this.collecting;
      if (this.buffer.length < size) return false;
      done(this.take(size));
      this.collecting = undefined;
      return this.skipContent((block - (size % block)) % block);
    }
    if (this.buffer.length < block) return false;
    this.header(this.take(block));
    return this.buffer.length > 0;
  }

  private header(bytes: Uint8Array): void {
    if (bytes[0] === 0) return;
    const text = (at: number, length: number): string =>
      decoder.decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, '');
    const type = text(156, 1) || '0';
    const size = Number(this.pending.size ?? readSize(bytes, text(124, 12)));
    if (type === 'x' || type === 'L' || type === 'K' || type === 'g') {
      this.collecting = { size, done: (content) => this.extend(type, decoder.decode(content)) };
      return;
    }
    const prefix = text(345, 155);
    const entry: TarEntry = {
      path: this.pending.path ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`),
      kind: type === '0' ? 'file' : type === '5' ? 'directory' : type === '1' || type === '2' ? 'link' : 'other',
      size: type === '0' ? size : 0,
      mode: Number.parseInt(text(100, 8), 8) || 0,
      modified: (Number.parseInt(text(136, 12), 8) || 0) * 1000,
      target: this.pending.linkpath ?? text(157, 100),
    };
    this.pending = {};
    this.receive(entry);
    if (this.wanted(entry)) this.collecting = { size, done: (content) => this.keep(entry, content) };
    else if (type === '0' || type === '7') this.skipContent(Math.ceil(size / block) * block);
  }

  private extend(type: string, text: string): void {
    if (type === 'L') this.pending.path = text.replace(/\0+$/, '');
    else if (type === 'K') this.pending.linkpath = text.replace(/\0+$/, '');
    else if (type === 'x')
      for (const [, key = '', value = ''] of text.matchAll(/\d+ ([^=\n]+)=([^\n]*)\n/g)) this.pending[key] = value;
  }

  private take(length: number): Uint8Array {
    const taken = this.buffer.slice(0, length);
    this.buffer = this.buffer.slice(length);
    return taken;
  }

  private skipContent(length: number): boolean {
    const skipped = Math.min(length, this.buffer.length);
    this.buffer = this.buffer.slice(skipped);
    this.skip = length - skipped;
    return this.skip === 0;
  }
}

/** Octal digits, or binary when the first bit is set. */
function readSize(bytes: Uint8Array, text: string): number {
  if (((bytes[124] ?? 0) & 0x80) === 0) return Number.parseInt(text, 8) || 0;
  return bytes.subarray(125, 136).reduce((sum, byte) => sum * 256 + byte, 0);
}
