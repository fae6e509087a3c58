import type { ImageFiles } from '@gantry/build/service';
import { type TarHandler, TarReader } from '@gantry/lib-archive/tar';
import type { ClientCall } from '../grpc/grpc-client.js';
import type { Packet } from '../protocol/messages.js';
import { packetTypes } from '../sessions/packet-types.js';
import { listArchive, pathOf } from './image-listing.js';

const maxChunkLength = 64 * 2 ** 10;

/**
 * Sends the files of an image to a directory of the client, which requests the content of those it does not have. What is
 * requested meanwhile is read at once.
 */
export async function sendDirectory(call: ClientCall, files: ImageFiles, signal: AbortSignal): Promise<void> {
  const stats = await listArchive(files.tar({ signal }));
  const requested: number[] = [];
  let isComplete = false;
  let wake: (() => void) | undefined;
  const receiving = (async () => {
    for await (const message of call.messages()) {
      const packet = message as Packet;
      if (packet.type === packetTypes.request) requested.push(packet.ID);
      else if (packet.type === packetTypes.error) throw new Error(`error from receiver: ${Buffer.from(packet.data)}`);
      else if (packet.type === packetTypes.end) {
        isComplete = true;
        call.send({ type: packetTypes.end });
        call.end();
      }
      wake?.();
    }
  })().finally(() => {
    isComplete = true;
    wake?.();
  });
  receiving.catch(() => undefined);
  for (const stat of stats) await call.write({ type: packetTypes.stat, stat });
  await call.write({ type: packetTypes.stat });
  while (!isComplete) {
    const ids = requested.splice(0);
    if (ids.length > 0) await sendContents(call, files, new Map(ids.map((id) => [stats[id]?.path ?? '', id])), signal);
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isComplete || requested.length > 0) resolve();
      });
    }
  }
  await receiving;
}

async function sendContents(
  call: ClientCall,
  files: ImageFiles,
  ids: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const contents = new Contents(ids);
  const reader = new TarReader(contents);
  for await (const piece of files.pack([...ids.keys()], { signal }) as AsyncIterable<Buffer>) {
    reader.push(piece);
    for (const packet of contents.take()) await call.write(packet);
  }
}

/** The packets with the content of the files of a tar. */
class Contents implements TarHandler {
  #packets: object[] = [];
  #id: number | undefined;

  constructor(private readonly ids: ReadonlyMap<string, number>) {}

  take(): readonly object[] {
    return this.#packets.splice(0);
  }

  raw(): void {}

  begin({ name }: { readonly name: string }): void {
    this.#id = this.ids.get(pathOf(name));
  }

  payload(bytes: Buffer): void {
    if (this.#id === undefined) return;
    for (let at = 0; at < bytes.length; at += maxChunkLength) {
      const data = Buffer.from(bytes.subarray(at, at + maxChunkLength));
      this.#packets.push({ type: packetTypes.data, ID: this.#id, data });
    }
  }

  end(): void {
    if (this.#id !== undefined) this.#packets.push({ type: packetTypes.data, ID: this.#id });
  }
}
