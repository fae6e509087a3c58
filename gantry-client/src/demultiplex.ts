import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

/** Stream number, three zeros, and the length of what follows: as the engine frames output without a terminal. */
const headLength = 8;

interface SplitOutput {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Splits framed output. A stream that is not read holds back the other one, as it does with a child process; a destroyed
 * one is skipped, and when both are destroyed the source is.
 */
export function demultiplex(source: Readable): SplitOutput {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const targets = [stdout, stdout, stderr] as const;
  const closeSource = (): void => {
    if (stdout.destroyed && stderr.destroyed) source.destroy();
  };
  for (const target of [stdout, stderr]) target.on('close', closeSource);
  split(source, targets).then(
    () => [stdout, stderr].forEach((target) => void target.end()),
    (error: Error) => [stdout, stderr].forEach((target) => void target.destroy(error)),
  );
  return { stdout, stderr };
}

async function split(source: Readable, targets: readonly PassThrough[]): Promise<void> {
  let head = Buffer.alloc(0);
  let target: PassThrough | undefined;
  let remaining = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let rest = chunk;
    while (rest.length > 0) {
      if (remaining === 0) {
        const part = rest.subarray(0, headLength - head.length);
        head = Buffer.concat([head, part]);
        rest = rest.subarray(part.length);
        if (head.length < headLength) break;
        target = targets[head[0] ?? 0];
        if (target === undefined) throw new Error(`the engine sent a frame of the unknown stream ${head[0]}`);
        remaining = head.readUInt32BE(4);
        head = Buffer.alloc(0);
      }
      const part = rest.subarray(0, remaining);
      remaining -= part.length;
      rest = rest.subarray(part.length);
      if (target !== undefined && part.length > 0) await write(target, part);
    }
  }
  if (remaining > 0 || head.length > 0) throw new Error('the output ended within a frame');
}

async function write(target: PassThrough, part: Buffer): Promise<void> {
  if (target.destroyed || target.write(part)) return;
  const settled = new AbortController();
  try {
    const options = { signal: settled.signal };
    await Promise.race([once(target, 'drain', options), once(target, 'close', options)]);
  } catch {
    // It was destroyed with an error: the rest is skipped.
  } finally {
    settled.abort();
  }
}
