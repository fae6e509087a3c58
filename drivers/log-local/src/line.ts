import { timeLength } from '@gantry/lib-log/files';

/**
 * A record is a line: its time in UTC, a letter for its stream, and its text as it is.
 * `2026-01-01T00:00:00.000000000 O hello`
 */
export const kindAt = timeLength + 1;
export const textAt = timeLength + 3;

/** `O` and `E` for stdout and stderr, with the line's end; `o` and `e` when the next record of the stream continues it. */
export const kinds = { full: [0x4f, 0x45], unfinished: [0x6f, 0x65] } as const;

export const space = 0x20;
export const newline = 0x0a;
