/** A source of timers; tests pass one they advance themselves. */
export interface Timer {
  /** Calls back once after so many milliseconds. @returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Timers of the event loop. */
export const systemTimer: Timer = {
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
