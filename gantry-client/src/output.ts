import { PassThrough, type Readable } from 'node:stream';
import { ByteStream } from './byte-stream.js';
import { demultiplex } from './demultiplex.js';

export interface CollectedOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * What a process writes. With a terminal everything is in `stdout`. Read both streams, or destroy the one that is of no
 * use: one that is not read holds back the other.
 */
export class Output {
  readonly stdout: ByteStream;
  readonly stderr: ByteStream;

  /** @param isFramed false with a terminal, whose bytes come as they are. */
  constructor(source: Readable, { isFramed }: { readonly isFramed: boolean }) {
    const { stdout, stderr } = isFramed ? demultiplex(source) : { stdout: source, stderr: new PassThrough().end() };
    this.stdout = new ByteStream(stdout);
    this.stderr = new ByteStream(stderr);
  }

  /** Waits for the end of both. */
  async text(): Promise<CollectedOutput> {
    const [stdout, stderr] = await Promise.all([this.stdout.text(), this.stderr.text()]);
    return { stdout, stderr };
  }
}

export const isFramed = (contentType: string | undefined): boolean => /multiplexed-stream/.test(contentType ?? '');
