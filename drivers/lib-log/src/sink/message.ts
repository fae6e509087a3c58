/** A line on its way to a server, or a piece of one that is too long or has no end yet. */
export interface LogMessage {
  readonly stream: 'stdout' | 'stderr';
  /** Of its beginning, in nanoseconds since the epoch. */
  readonly time: bigint;
  /** Without the newline. At most 16 KiB. Valid until it is sent. */
  readonly line: Buffer;
  /** The line goes on in the next message of its stream. */
  readonly partial: boolean;
  /** Counts the messages of a container's log from 1 on; a message that comes again has the number it had. */
  readonly ordinal: number;
  /** When the line is in more than one message. */
  readonly piece?: {
    /** The same for all pieces of a line. */
    readonly id: string;
    /** From 1 on. */
    readonly ordinal: number;
  };
}
