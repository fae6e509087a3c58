import { Readable } from 'node:stream';
import type { OutputChunk } from '@gantry/core/contracts';
import type { SeqpacketConnection } from '@gantry/lib-linux/seqpacket';

/** Chunks that may wait in memory; a monitor's packets are up to 8 KiB. */
const waitingChunks = 32;
const stderrMark = 3;

/**
 * The output a monitor sends: packets of a mark for the stream and the bytes. Without a reader packets stay in
 * the kernel. Destroying it closes the connection; it ends in the same way when the monitor is killed.
 */
export function outputOf(connection: SeqpacketConnection): Readable & AsyncIterable<OutputChunk> {
  const output = new Readable({
    objectMode: true,
    highWaterMark: waitingChunks,
    read: () => connection.resume(),
    destroy: (error, done) => {
      connection.destroy();
      done(error);
    },
  });
  const end = (): void => {
    if (!output.destroyed && !output.readableEnded) output.push(null);
    connection.destroy();
  };
  connection.on('data', (packet: Buffer) => {
    const chunk: OutputChunk = { stream: packet[0] === stderrMark ? 'stderr' : 'stdout', bytes: packet.subarray(1) };
    if (!output.push(chunk)) connection.pause();
  });
  connection.once('end', end);
  connection.once('error', end);
  connection.once('close', end);
  connection.pause();
  return output;
}
