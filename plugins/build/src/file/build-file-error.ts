import { EngineError } from '@gantry/core/errors';

/** A build file that cannot be read. The message has the words of the classic builder; `reason` is without the place. */
export class BuildFileError extends EngineError {
  constructor(
    /** Undefined where BuildKit names no line. */
    readonly line: number | undefined,
    readonly reason: string,
    place: string,
    options?: ErrorOptions,
  ) {
    super('invalid-argument', `${place}: ${reason}`, options);
  }

  static inLine(line: number, reason: string, options?: ErrorOptions): BuildFileError {
    return new BuildFileError(line, reason, placeOf(line), options);
  }

  /** Of the whole file, although the classic builder names a line. */
  static near(line: number, reason: string, options?: ErrorOptions): BuildFileError {
    return new BuildFileError(undefined, reason, placeOf(line), options);
  }

  static inFile(name: string, reason: string): BuildFileError {
    return new BuildFileError(undefined, reason, `failed to parse Dockerfile (${name})`);
  }
}

const placeOf = (line: number): string => `dockerfile parse error line ${line}`;
