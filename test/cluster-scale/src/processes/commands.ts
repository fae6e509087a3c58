/** The arguments of a command: one at most. They, and results, are sent as JSON. */
export type Arguments<Command> = Command extends (...args: infer A) => unknown ? A : never;

export type Result<Command> = Command extends (...args: never) => Promise<infer R> ? R : never;

export interface Request {
  readonly number: number;
  readonly command: string;
  readonly argument: unknown;
}

export interface Answer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: string;
}
