/** What follows a signal. Adding a listener to a signal takes as long as it has listeners, so each has one for all. */
const followers = new WeakMap<AbortSignal, Set<(signal: AbortSignal) => void>>();

/**
 * Aborts when the first of the signals does, as `AbortSignal.any`, and leaves nothing with the others once `own` has aborted:
 * Node keeps a reference to each signal of `AbortSignal.any` for as long as the signals live that it was made of.
 * @param own is certain to abort, such as at the end of a request.
 */
export function linkedSignal(own: AbortSignal, ...others: readonly AbortSignal[]): AbortSignal {
  const end = new AbortController();
  const signals = [own, ...others];
  const settle = ({ reason }: AbortSignal): void => {
    for (const signal of signals) unfollow(signal, settle);
    end.abort(reason);
  };
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) end.abort(aborted.reason);
  else for (const signal of signals) follow(signal, settle);
  return end.signal;
}

/** Calls back once when the signal aborts, until the function that it returns is called. */
export function followSignal(signal: AbortSignal, follower: (signal: AbortSignal) => void): () => void {
  follow(signal, follower);
  return () => unfollow(signal, follower);
}

function follow(signal: AbortSignal, follower: (signal: AbortSignal) => void): void {
  let all = followers.get(signal);
  if (all === undefined) {
    all = new Set();
    followers.set(signal, all);
    signal.addEventListener('abort', settleAll);
  }
  all.add(follower);
}

function unfollow(signal: AbortSignal, follower: (signal: AbortSignal) => void): void {
  const all = followers.get(signal);
  if (all?.delete(follower) !== true || all.size > 0) return;
  followers.delete(signal);
  signal.removeEventListener('abort', settleAll);
}

function settleAll({ target }: Event): void {
  const signal = target as AbortSignal;
  for (const follower of [...(followers.get(signal) ?? [])]) follower(signal);
}
