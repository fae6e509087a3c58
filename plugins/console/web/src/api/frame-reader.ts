export type OutputStream = 'stdout' | 'stderr';

/** Splits the multiplexed output of a container without a terminal into its streams. */
export class FrameReader {
  private pending = new Uint8Array(0);

  constructor(
    private readonly isTerminal: boolean,
    private readonly receive: (stream: OutputStream, bytes: Uint8Array) => void,
  ) {}

  push(chunk: Uint8Array): void {
    if (this.isTerminal) {
      this.receive('stdout', chunk);
      return;
    }
    let buffer = chunk;
    if (this.pending.length > 0) {
      buffer = new Uint8Array(this.pending.length + chunk.length);
      buffer.set(this.pending);
      buffer.set(chunk, this.pending.length);
    }
    let at = 0;
    while (buffer.length - at >= 8) {
      const size = new DataView(buffer.buffer, buffer.byteOffset + at).getUint32(4);
      if (buffer.length - at - 8 < size) break;
      this.receive(buffer[at] === 2 ? 'stderr' : 'stdout', buffer.subarray(at + 8, at + 8 + size));
      at += 8 + size;
    }
    this.pending = buffer.slice(at);
  }
}
