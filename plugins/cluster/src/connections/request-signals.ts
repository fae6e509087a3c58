/**
 * The signals of requests, which abort with the session, too. Adding a listener to a signal takes as long as it has listeners,
 * and a manager has several requests of every node open: the session's signal has one listener for all of them.
 */
export class RequestSignals {
  readonly #open = new WeakMap<AbortSignal, Set<AbortController>>();

  /** @param request is certain to abort. */
  link(request: AbortSignal, session: AbortSignal): AbortSignal {
    const end = new AbortController();
    if (session.aborted) end.abort(session.reason);
    if (request.aborted) end.abort(request.reason);
    if (end.signal.aborted) return end.signal;
    const open = this.#requestsOf(session);
    open.add(end);
    const close = (): void => {
      open.delete(end);
      end.abort(request.reason);
    };
    request.addEventListener('abort', close, { once: true });
    return end.signal;
  }

  #requestsOf(session: AbortSignal): Set<AbortController> {
    const known = this.#open.get(session);
    if (known !== undefined) return known;
    const open = new Set<AbortController>();
    this.#open.set(session, open);
    session.addEventListener('abort', () => abortAll(open, session.reason), { once: true });
    return open;
  }
}

function abortAll(open: Set<AbortController>, reason: unknown): void {
  for (const end of open) end.abort(reason);
  open.clear();
}
