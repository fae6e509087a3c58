import { useEffect, useState } from 'preact/hooks';
import { isAbort } from '../../api/api-error';
import { eventStream } from '../../events/event-stream';
import { type LogLine, LogLines } from './log-lines';

export type LogState = 'loading' | 'following' | 'ended' | 'failed';

export interface Log {
  readonly lines: readonly LogLine[];
  readonly state: LogState;
  readonly error?: unknown;
}

/** Follows a log, goes on where it ended when `round` changes or the engine is back. */
export function useLog(path: string, isTerminal: boolean, tail: string, round: number): Log {
  const [log, setLog] = useState<Log>({ lines: [], state: 'loading' });
  const [source, setSource] = useState<LogLines>();
  const [connection, setConnection] = useState(0);

  useEffect(() => eventStream.reconnections.subscribe(() => setConnection((count) => count + 1)), []);

  // Another tail begins from the start.
  useEffect(() => {
    let frame = 0;
    const lines = new LogLines(path, isTerminal, () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setLog((old) => ({ ...old, lines: [...lines.lines], state: old.state === 'ended' ? 'ended' : 'following' }));
      });
    });
    setLog({ lines: [], state: 'loading' });
    setSource(lines);
    return () => cancelAnimationFrame(frame);
  }, [path, isTerminal, tail]);

  // These are the reasons to go on.
  useEffect(() => {
    if (source === undefined) return;
    const abort = new AbortController();
    setLog((old) => ({ ...old, state: 'loading' }));
    source.follow(tail, abort.signal).then(
      () => setLog({ lines: [...source.lines], state: 'ended' }),
      (error: unknown) => {
        if (!isAbort(error)) setLog({ lines: [...source.lines], state: 'failed', error });
      },
    );
    return () => abort.abort();
  }, [source, round, connection]);

  return log;
}
