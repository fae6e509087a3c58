import { invalidArgument } from '@gantry/core/errors';

/** A command line as a client wrote it: one word, or a list of them. */
export const wordsOf = (given: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof given === 'string' ? [given] : given;

interface Program {
  readonly path: string;
  readonly args: readonly string[];
}

/** The program and its arguments: the entrypoint, then the command. @throws EngineError `invalid-argument`. */
export function resolveProgram(entrypoint: readonly string[] = [], command: readonly string[] = []): Program {
  const [path = '', ...args] = [...entrypoint, ...command];
  if (path === '') throw invalidArgument('No command specified');
  return { path, args };
}
