import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Attachment, Container } from 'gantry-client';

/** What the command is connected to. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream | Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

interface TerminalOptions {
  readonly isInteractive: boolean;
  readonly hasTerminal: boolean;
}

/**
 * Connects an attached container with the streams of this process. @returns resolves when all output was written; `release`
 * puts the terminal back.
 */
export function attachTerminal(
  container: Container,
  attachment: Attachment,
  streams: Streams,
  { isInteractive, hasTerminal }: TerminalOptions,
): { readonly done: Promise<void>; started(): Promise<void>; release(): void } {
  const { stdin, stdout, stderr } = streams;
  const isRaw = isInteractive && hasTerminal && isTerminal(stdin);
  if (isRaw) stdin.setRawMode(true);
  if (isInteractive) {
    // The command may close its input first.
    pipeline(stdin, attachment.stdin).catch(() => undefined);
  }
  const resize = resizing(container, stdout as NodeJS.WriteStream);
  const { output } = attachment;
  const done = Promise.all([copy(output.stdout.node, stdout), copy(output.stderr.node, stderr)]).then(() => undefined);
  return {
    done,
    async started() {
      if (!hasTerminal || !isTerminal(stdout)) return;
      resize();
      stdout.on('resize', resize);
    },
    release() {
      if (isRaw) stdin.setRawMode(false);
      if (isInteractive) stdin.destroy();
      stdout.off('resize', resize);
    },
  };
}

/** Gives a container the size of a terminal: one request at a time, for two could arrive in either order. */
function resizing(container: Container, terminal: NodeJS.WriteStream): () => void {
  let isOutdated = false;
  let isBusy = false;
  const resize = async (): Promise<void> => {
    while (isOutdated) {
      isOutdated = false;
      const { columns, rows } = terminal;
      if (columns > 0 && rows > 0) await container.resize({ columns, rows }).catch(() => undefined); // it may have exited
    }
    isBusy = false;
  };
  return () => {
    isOutdated = true;
    if (isBusy) return;
    isBusy = true;
    void resize();
  };
}

const isTerminal = <T extends object>(stream: T): stream is T & NodeJS.ReadStream & NodeJS.WriteStream =>
  (stream as { readonly isTTY?: boolean }).isTTY === true;

/** A reader that has enough, such as `head`, ends the copy and not the command. */
async function copy(from: Readable, to: Writable): Promise<void> {
  try {
    await pipeline(from, to, { end: false });
  } catch (error) {
    if (!to.destroyed && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
