/**
 * Runs when Node has handled the frames that it reads now. It calls back in the middle of them, and so does what a promise
 * continues with; a session or a stream that is destroyed there is memory that it goes on reading from.
 */
export const afterFrames = (run: () => void): void => void setImmediate(run);
