import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogContainer } from '@gantry/core/contracts';
import { replaceFile } from '@gantry/core/driver';
import { isFileNotFound } from './is-file-not-found.js';
import type { AssemblerState, OpenLine } from './line-assembler.js';

/** How far a container's log has come. */
export interface Progress {
  /** Distinguishes this log from others of the same container. */
  readonly epoch: string;
  readonly resume: string | undefined;
  readonly lines: AssemblerState;
  /** What the outlet holds back. */
  readonly heldBack?: string | undefined;
}

const streams = ['stdout', 'stderr'] as const;

/** Keeps progress in the container's directory. A file that is damaged is as good as none. */
export class ProgressFile {
  readonly path: string;

  constructor({ directory, id }: Pick<LogContainer, 'directory' | 'id'>, driver: string) {
    this.path = join(directory, `${id}-${driver}.progress`);
  }

  /** @returns undefined when nothing was written yet. */
  async read(): Promise<Progress | undefined> {
    try {
      return parse(await readFile(this.path, 'utf8'));
    } catch (error) {
      if (isFileNotFound(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async write(progress: Progress): Promise<void> {
    await replaceFile(this.path, format(progress));
  }

  async remove(): Promise<void> {
    await Promise.all([this.path, `${this.path}.new`].map((path) => rm(path, { force: true })));
  }
}

export const newProgress = (): Progress => ({
  epoch: randomUUID().replaceAll('-', ''),
  resume: undefined,
  lines: { ordinal: 0, open: {} },
});

interface StoredLine {
  readonly time: string;
  readonly text: string;
  readonly pieces: number;
}

interface Stored {
  readonly epoch: string;
  readonly resume?: string;
  readonly heldBack?: string;
  readonly ordinal: number;
  readonly open: Readonly<Record<string, StoredLine>>;
}

function format({ epoch, resume, lines, heldBack }: Progress): string {
  const open = Object.fromEntries(
    streams.flatMap((stream) => {
      const line = lines.open[stream];
      return line === undefined
        ? []
        : [[stream, { ...line, time: `${line.time}`, text: line.text.toString('base64') }]];
    }),
  );
  return JSON.stringify({ epoch, resume, heldBack, ordinal: lines.ordinal, open });
}

function parse(text: string): Progress {
  const { epoch, resume, heldBack, ordinal, open } = JSON.parse(text) as Stored;
  const lines = Object.entries(open).map(([stream, { time, text: encoded, pieces }]): [string, OpenLine] => [
    stream,
    { time: BigInt(time), text: Buffer.from(encoded, 'base64'), pieces },
  ]);
  return { epoch, resume, heldBack, lines: { ordinal, open: Object.fromEntries(lines) } };
}
