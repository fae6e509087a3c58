import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Logger } from '../kernel/logging/logger.js';
import { serializeError } from '../kernel/logging/serialize-error.js';

/** The daemon's log: one JSON object a line. The field `error` has type, message, stack and cause of what was thrown. */
export class DaemonLog {
  readonly root: Logger;
  /** A child of a logger keeps the level it was created with, so a change is applied to each. */
  readonly #loggers: PinoLogger[] = [];

  constructor(level: string, destination: DestinationStream) {
    const onChild = (child: PinoLogger): void => void this.#loggers.push(child);
    const serializers = { error: (value: unknown) => serializeError(value) };
    const root = pino({ level, base: null, messageKey: 'message', serializers, onChild }, destination);
    this.#loggers.push(root);
    this.root = root;
  }

  setLevel(level: string): void {
    for (const logger of this.#loggers) logger.level = level;
  }
}
