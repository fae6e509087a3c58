/** A source of timers; tests pass one they advance themselves. */
export interface Timer {
  /** Calls back once after so many milliseconds, of any number. @returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest that a timer of the event loop takes, in milliseconds: some 25 days. */
const longest = 2 ** 31 - 1;

/** Timers of the event loop. */
export const systemTimer: Timer = {
  after: (milliseconds, callback) => {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer = left > longest ? setTimeout(() => wait(left - longest), longest) : setTimeout(callback, left);
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};
