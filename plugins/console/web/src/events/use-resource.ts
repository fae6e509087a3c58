import { type Inputs, useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isAbort } from '../api/api-error';
import { eventStream } from './event-stream';
import { onEvents } from './on-events';

export type Resource<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** With `error` when the last reading failed and `value` is an older one. */
  | { readonly state: 'ready'; readonly value: T; readonly error?: unknown };

/**
 * Reads something from the engine, again after each event of the given types and after each reconnection.
 * Events that come while a reading runs cause one more reading, not one each.
 *
 * @param initial what was read already, with all events since its reading still to come.
 */
export function useResource<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: Inputs,
  types: readonly string[],
  initial?: T,
): [Resource<T>, () => void] {
  const [resource, setResource] = useState<Resource<T>>(() =>
    initial === undefined ? { state: 'loading' } : { state: 'ready', value: initial },
  );
  const isKnown = useRef(initial !== undefined);
  const latest = useRef(read);
  latest.current = read;
  const reload = useRef<() => void>(() => {});
  const wanted = types.join();

  // The caller names what `read` depends on. Before the first paint: reading need not wait for that.
  useLayoutEffect(() => {
    const abort = new AbortController();
    let running = false;
    let again = false;
    const run = async (): Promise<void> => {
      if (running) {
        again = true;
        return;
      }
      running = true;
      do {
        again = false;
        try {
          const value = await latest.current(abort.signal);
          if (!abort.signal.aborted) setResource({ state: 'ready', value });
        } catch (error) {
          if (abort.signal.aborted || isAbort(error)) return;
          setResource((old) => (old.state === 'ready' ? { ...old, error } : { state: 'failed', error }));
        }
      } while (again && !abort.signal.aborted);
      running = false;
    };
    reload.current = () => void run();
    if (!isKnown.current) {
      setResource((old) => (old.state === 'loading' ? old : { state: 'loading' }));
      void run();
    }
    isKnown.current = false;
    const unsubscribe = wanted === '' ? () => {} : onEvents(wanted.split(','), () => void run());
    const reconnected = eventStream.reconnections.subscribe(() => void run());
    return () => {
      abort.abort();
      unsubscribe();
      reconnected();
    };
  }, [...inputs, wanted]);

  return [resource, useCallback(() => reload.current(), [])];
}
