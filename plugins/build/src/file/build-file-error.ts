import { EngineError } from '@gantry/core/errors';

/** Lines of a build file, from 1; the last is one of them. */
export interface BuildFileLines {
  readonly start: number;
  readonly end: number;
}

interface Options extends ErrorOptions {
  /** The last line of what cannot be read. */
  readonly end?: number;
}

/** A build file that cannot be read. The message has the words of the classic builder; `reason` is without the place. */
export class BuildFileError extends EngineError {
  constructor(
    /** Undefined where BuildKit names no line. */
    readonly line: number | undefined,
    readonly reason: string,
    place: string,
    /** Undefined for the whole file. */
    readonly lines?: BuildFileLines,
    options?: ErrorOptions,
  ) {
    super('invalid-argument', `${place}: ${reason}`, options);
  }

  static inLine(line: number, reason: string, { end = line, ...options }: Options = {}): BuildFileError {
    return new BuildFileError(line, reason, placeOf(line), { start: line, end }, options);
  }

  /** Although the classic builder names a line, and clients show it. */
  static near(line: number, reason: string, { end = line, ...options }: Options = {}): BuildFileError {
    return new BuildFileError(undefined, reason, placeOf(line), { start: line, end }, options);
  }

  static inFile(name: string, reason: string): BuildFileError {
    return new BuildFileError(undefined, reason, `failed to parse Dockerfile (${name})`);
  }
}

const placeOf = (line: number): string => `dockerfile parse error line ${line}`;
