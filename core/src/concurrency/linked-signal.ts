/**
 * Aborts when the first of the signals does, as `AbortSignal.any`, and leaves nothing with the others once `own` has aborted:
 * Node keeps a reference to each signal of `AbortSignal.any` for as long as the signals live that it was made of.
 * @param own is certain to abort, such as at the end of a request.
 */
export function linkedSignal(own: AbortSignal, ...others: readonly AbortSignal[]): AbortSignal {
  const end = new AbortController();
  const signals = [own, ...others];
  const listeners = signals.map((signal) => () => settle(signal));
  const settle = ({ reason }: AbortSignal): void => {
    for (const [index, signal] of signals.entries())
      signal.removeEventListener('abort', listeners[index] as () => void);
    end.abort(reason);
  };
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) settle(aborted);
  else
    for (const [index, signal] of signals.entries()) signal.addEventListener('abort', listeners[index] as () => void);
  return end.signal;
}
