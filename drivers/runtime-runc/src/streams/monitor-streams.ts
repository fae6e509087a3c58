import type { Readable } from 'node:stream';
import type { OutputChunk, TaskStreams } from '@gantry/core/contracts';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';
import { outputOf } from './output-of.js';
import type { Stdin } from './stdin.js';

/** A process's streams through its monitor's socket. */
export class MonitorStreams implements TaskStreams {
  readonly output: Readable & AsyncIterable<OutputChunk>;
  #closed = false;

  constructor(
    private readonly connection: SeqpacketConnection,
    private readonly stdin: Stdin,
    private readonly onClose: () => void,
  ) {
    this.output = outputOf(connection);
    connection.once('close', () => this.close());
  }

  writeStdin(bytes: Uint8Array): Promise<void> {
    return this.stdin.write(bytes);
  }

  endStdin(): Promise<void> {
    return this.stdin.end();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.stdin.close();
    this.connection.destroy();
    this.onClose();
  }
}
