import { type LogFacts, type Logger, serializeError } from '@gantry/core/driver';
import type { LogLevel } from '../pump.js';

type Post = (level: LogLevel, facts: LogFacts, words: string) => void;

/** A logger for drivers in a worker thread: posts its lines to the main thread, which logs them. */
export class PostedLogger implements Logger {
  constructor(
    private readonly post: Post,
    private readonly bindings: Readonly<Record<string, unknown>> = {},
  ) {}

  trace(facts: LogFacts, words: string): void {
    this.#log('trace', facts, words);
  }

  debug(facts: LogFacts, words: string): void {
    this.#log('debug', facts, words);
  }

  info(facts: LogFacts, words: string): void {
    this.#log('info', facts, words);
  }

  warn(facts: LogFacts, words: string): void {
    this.#log('warn', facts, words);
  }

  error(facts: LogFacts, words: string): void {
    this.#log('error', facts, words);
  }

  child(bindings: Readonly<Record<string, unknown>>): Logger {
    return new PostedLogger(this.post, { ...this.bindings, ...bindings });
  }

  #log(level: LogLevel, facts: LogFacts, words: string): void {
    const all: LogFacts = { ...this.bindings, ...facts };
    this.post(level, cloneable(all), words);
  }
}

/** A clone of an error has neither its own fields nor its type. What else cannot be posted becomes text. */
function cloneable(facts: LogFacts): LogFacts {
  const entries = Object.entries(facts).map(([name, value]) => [name, cloneableValue(value)] as const);
  return { ...Object.fromEntries(entries), event: facts.event };
}

function cloneableValue(value: unknown): unknown {
  if (value instanceof Error) return serializeError(value);
  try {
    return structuredClone(value);
  } catch {
    return String(value);
  }
}
