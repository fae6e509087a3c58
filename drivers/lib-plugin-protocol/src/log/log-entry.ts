import type { LogRecord } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';

/** Tags of the message's fields: field number and wire type (2: length-delimited, 0: varint). */
const tags = { source: (1 << 3) | 2, timeNano: 2 << 3, line: (3 << 3) | 2, partial: 4 << 3 } as const;

/** Largest entry, in bytes. The engine's lines have at most 16 KiB; a plugin may keep longer ones. */
const maxEntryBytes = 2 ** 20;

/** Encodes a record for plugins: a big-endian uint32 with the length of the protobuf message that follows. */
export function encodeEntry({ stream, time, line, partial }: LogRecord): Buffer {
  const message = Buffer.concat([
    Buffer.from([tags.source]),
    varint(BigInt(stream.length)),
    Buffer.from(stream),
    Buffer.from([tags.timeNano]),
    varint(time),
    Buffer.from([tags.line]),
    varint(BigInt(line.length)),
    line,
    ...(partial ? [Buffer.from([tags.partial, 1])] : []),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/** Decodes the entries of a byte stream. @throws EngineError `internal` for a corrupted one. */
export async function* decodeEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly LogRecord[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const records: LogRecord[] = [];
    for (let entry = firstOf(rest); entry !== undefined; entry = firstOf(rest)) {
      records.push(decodeMessage(entry));
      rest = rest.subarray(4 + entry.length);
    }
    if (records.length > 0) yield records;
  }
  if (rest.length > 0) throw corrupted('the last entry is cut off');
}

function firstOf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length > maxEntryBytes) throw corrupted(`an entry has ${length} bytes`);
  return bytes.length < 4 + length ? undefined : bytes.subarray(4, 4 + length);
}

function decodeMessage(message: Buffer): LogRecord {
  let source = 'stdout';
  let time = 0n;
  let line: Buffer = Buffer.alloc(0);
  let partial = false;
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw corrupted('a number is cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw corrupted('a number is too long');
  };
  const piece = (): Buffer => {
    const length = Number(number());
    if (length < 0 || at + length > message.length) throw corrupted('a field is cut off');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(number());
    if (tag === tags.source) source = piece().toString();
    else if (tag === tags.timeNano) time = number();
    else if (tag === tags.line) line = piece();
    else if (tag === tags.partial) partial = number() !== 0n;
    else if ((tag & 7) === 2) piece();
    else if ((tag & 7) === 0) number();
    else if ((tag & 7) === 1) at += 8;
    else if ((tag & 7) === 5) at += 4;
    else throw corrupted(`a field has the wire type ${tag & 7}`);
  }
  // Some plugins return lines with their newline.
  const stripped = line.at(-1) === 0x0a ? line.subarray(0, -1) : line;
  return { stream: source === 'stderr' ? 'stderr' : 'stdout', time, line: stripped, partial };
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const corrupted = (why: string) => internal(`LogDriver.ReadLogs: the plugin's answer is corrupted: ${why}`);
