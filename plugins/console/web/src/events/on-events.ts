import { type EngineEvent, eventStream } from './event-stream';

const coalesceFor = 150;
/** Actions that change nothing that a list shows. */
const silent = /^(exec_|top$|resize|archive-path|attach|detach|export)/;

/** Calls `react` once for all events of the given types that come within a short time. */
export function onEvents(types: readonly string[], react: (events: readonly EngineEvent[]) => void): () => void {
  let pending: EngineEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = eventStream.subscribe((event) => {
    if (!types.includes(event.Type) || silent.test(event.Action)) return;
    pending.push(event);
    timer ??= setTimeout(() => {
      const events = pending;
      pending = [];
      timer = undefined;
      react(events);
    }, coalesceFor);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
