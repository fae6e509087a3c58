/** Facts first: a stable `event`, ids as fields, then words. Never secrets, never auth headers. */
export interface Logger {
  trace(facts: LogFacts, words: string): void;
  debug(facts: LogFacts, words: string): void;
  info(facts: LogFacts, words: string): void;
  warn(facts: LogFacts, words: string): void;
  error(facts: LogFacts, words: string): void;
  child(bindings: Readonly<Record<string, unknown>>): Logger;
}

/** Injects the package's logger, which names the package in every line. */
export const Logger = Symbol.for('gantry.logger');

export type LogFacts = { readonly event: string; readonly [fact: string]: unknown };

/** Says nothing; for tests and tools. */
export const silentLogger: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
