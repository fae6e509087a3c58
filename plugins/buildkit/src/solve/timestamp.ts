/** A time as messages of BuildKit have it. */
export const timestamp = (time: Date) => ({
  seconds: Math.floor(time.getTime() / 1000),
  nanos: (time.getTime() % 1000) * 1_000_000,
});
