import { createHash } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';
import type { PartialLine, PartialLines } from './line-encoder.js';

/** The progress of a log. Stored before the append it describes, so that a crash in between can be detected. */
export interface Progress {
  /** Of the file that is written to. */
  readonly inode: number;
  /** Rises with each new file: the one with index N has generation - N. */
  readonly generation: number;
  /** The file's size before the append, and how much is appended. */
  readonly sizeBefore: number;
  readonly bytes: number;
  /** The last batch that is in the log as a whole. */
  readonly resume: string | undefined;
  /** How many bytes of spool that follow it are in the log too. */
  readonly consumed: number;
  readonly partial: PartialLines;
}

interface Slot {
  readonly sequence: number;
  readonly progress: Progress;
}

/** Each record has its own half of the file, so that the one before is whole whatever happens to the next. */
const slotSize = 64 * 1024;

/** The file beside a log that makes each batch come once only, in spite of crashes. */
export class ResumeFile {
  #sequence: number;

  private constructor(
    private readonly handle: FileHandle,
    /** The newest record, and the one before it. */
    readonly newest: Progress | undefined,
    readonly before: Progress | undefined,
    sequence: number,
  ) {
    this.#sequence = sequence;
  }

  static async open(path: string): Promise<ResumeFile> {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const [newest, before] = await readSlots(handle);
    return new ResumeFile(handle, newest?.progress, before?.progress, newest?.sequence ?? 0);
  }

  async write(progress: Progress): Promise<void> {
    const sequence = this.#sequence + 1;
    const bytes = encodeSlot({ sequence, progress });
    await this.handle.write(bytes, 0, bytes.length, (sequence % 2) * slotSize);
    this.#sequence = sequence;
  }

  /** What was announced last did not come about: the next record takes its place, not that of the one before. */
  takeBack(): void {
    this.#sequence++;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Generation and inode of the file that is written to; undefined when nothing says. */
export async function readProgress(path: string): Promise<Progress | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    return (await readSlots(handle))[0]?.progress;
  } finally {
    // Not awaited: a reader waits for its first byte meanwhile.
    handle.close().catch(() => undefined);
  }
}

/** Most records are no longer. */
const usualLength = 1024;

/** The newest first. */
async function readSlots(handle: FileHandle): Promise<Slot[]> {
  const slots = await Promise.all([readSlot(handle, 0), readSlot(handle, slotSize)]);
  return slots.flatMap((slot) => slot ?? []).sort((one, other) => other.sequence - one.sequence);
}

async function readSlot(handle: FileHandle, position: number): Promise<Slot | undefined> {
  for (const length of [usualLength, slotSize]) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    // Nothing was ever written there: until the second record there is a hole.
    if (buffer[0] === 0) return undefined;
    const slot = decodeSlot(buffer.subarray(0, bytesRead));
    if (slot !== undefined || bytesRead < length) return slot;
  }
  return undefined;
}

/** Detects a torn record. Computed for each batch, for which a cryptographic hash would be too slow. */
function sum(text: string): string {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul((high << 13) | (high >>> 19), 5) + (unit ^ low);
  }
  return `${hex(low)}${hex(high)}`;
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** What records of earlier versions have in its place. */
const formerSum = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 16);

function encodeSlot({ sequence, progress: { partial, ...progress } }: Slot): Buffer {
  const carries = partial.map((line) => line && [base64(line.text), line.time && base64(line.time)]);
  const text = JSON.stringify({ sequence, ...progress, carries });
  return Buffer.from(`${sum(text)} ${text}\n`);
}

function decodeSlot(slot: Buffer): Slot | undefined {
  const end = slot.indexOf(0x0a);
  if (end < 0) return undefined;
  const [checksum, text] = [slot.toString('latin1', 0, 16), slot.toString('utf8', 17, Math.max(17, end))];
  if (checksum !== sum(text) && checksum !== formerSum(text)) return undefined;
  const { sequence, carries, ...progress } = JSON.parse(text);
  return { sequence, progress: { resume: undefined, ...progress, partial: carries.map(decodePartialLine) } };
}

function decodePartialLine(line: readonly [string, string?] | null): PartialLine | undefined {
  if (line === null) return undefined;
  const [text, time] = line;
  return { text: Buffer.from(text, 'base64'), time: time == null ? undefined : Buffer.from(time, 'base64') };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
