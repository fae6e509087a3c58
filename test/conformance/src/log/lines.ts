import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LogBatch, LogContainer, LogDriver, LogQuery, LogRecord } from '@gantry/core/contracts';
import type { Opened } from '../open-driver.js';

export type Readable = LogDriver & Required<Pick<LogDriver, 'read'>>;
export type Line = readonly [stream: 'stdout' | 'stderr', text: string, tag?: 'F' | 'P'];

const epoch = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A container of a check's own, with its directory. */
export function containerOf({ dirs }: Opened<LogDriver>, change: Partial<LogContainer> = {}): LogContainer {
  const id = change.id ?? 'c'.repeat(64);
  const directory = join(dirs.root, 'containers', id);
  mkdirSync(directory, { recursive: true });
  return {
    id,
    name: 'nostalgic_heisenberg',
    imageId: `sha256:${'1'.repeat(64)}`,
    imageName: 'busybox:latest',
    command: ['sh', '-c', 'echo'],
    createdAt: new Date(epoch),
    labels: {},
    env: [],
    options: {},
    directory,
    ...change,
  };
}

/** A batch of spool lines, one millisecond apart, beginning at a number of milliseconds. */
export function batchOf(lines: readonly Line[], resume: string, startsAt = 0): LogBatch {
  const text = lines.map(
    ([stream, line, tag = 'F'], index) => `${spoolTime(startsAt + index)} ${stream} ${tag} ${line}\n`,
  );
  const spool = Buffer.from(text.join(''), 'latin1');
  return {
    spool,
    resume,
    *records() {
      for (const [index, [stream, line, tag = 'F']] of lines.entries()) {
        yield { stream, time: nanoseconds(startsAt + index), line: Buffer.from(line, 'latin1'), partial: tag === 'P' };
      }
    },
  };
}

const spoolTime = (milliseconds: number): string =>
  `${new Date(epoch + milliseconds).toISOString().slice(0, -1)}000001+00:00`;
export const nanoseconds = (milliseconds: number): bigint => BigInt(epoch + milliseconds) * 1_000_000n + 1n;

export const everything: LogQuery = { stdout: true, stderr: true, follow: false };

export async function recordsOf(
  driver: LogDriver,
  container: LogContainer,
  query: Partial<LogQuery> = {},
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of (driver as Readable).read(container, { ...everything, ...query }))
    records.push(...page.records());
  return records;
}

/** What a terminal would show. */
export const textOf = (records: readonly LogRecord[]): string =>
  records.map(({ line, partial }) => `${Buffer.from(line).toString()}${partial ? '' : '\n'}`).join('');

export const read = async (
  driver: LogDriver,
  container: LogContainer,
  query: Partial<LogQuery> = {},
): Promise<string> => textOf(await recordsOf(driver, container, query));

export const out = (text: string): Line => ['stdout', text];

export async function written(opened: Opened<LogDriver>, lines: readonly Line[], change?: Partial<LogContainer>) {
  const container = containerOf(opened, change);
  const sink = await opened.driver.open(container);
  await sink.write(batchOf(lines, 'r1'));
  return { container, sink };
}

export function refuses(driver: LogDriver, options: Readonly<Record<string, string>>): boolean {
  try {
    driver.validate(options);
    return false;
  } catch {
    return true;
  }
}

export async function collect(
  driver: LogDriver,
  container: LogContainer,
  query: Partial<LogQuery>,
  seen: string[],
): Promise<void> {
  for await (const page of (driver as Readable).read(container, { ...everything, ...query })) {
    const text = textOf([...page.records()]);
    if (text !== '') seen.push(text);
  }
}

type Frame = readonly [stream: number, text: string];

export const asFrame = ({ stream, line, partial }: LogRecord): Frame => [
  stream === 'stdout' ? 1 : 2,
  `${Buffer.from(line).toString()}${partial ? '' : '\n'}`,
];

export function unframed(bytes: Uint8Array): Frame[] {
  const buffer = Buffer.from(bytes);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at + 4);
    frames.push([buffer[at] as number, buffer.toString('utf8', at + 8, at + 8 + length)]);
    at += 8 + length;
  }
  return frames;
}
