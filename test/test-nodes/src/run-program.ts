import { ProgramScope } from './program-scope.js';

interface RunOptions {
  /** The program ends by itself when it is interrupted, and only a second signal fails it. */
  readonly finishes?: boolean;
}

/**
 * Runs a program that starts things, and releases them when it has ended. SIGINT and SIGTERM abort `interrupted` and fail the
 * program, which is not waited for then. Rejects as the program does.
 */
export async function runProgram(
  run: (scope: ProgramScope, interrupted: AbortSignal) => Promise<void>,
  { finishes = false }: RunOptions = {},
): Promise<void> {
  const scope = new ProgramScope();
  const interruption = new AbortController();
  const { signal: interrupted } = interruption;
  const failed = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (!finishes || interrupted.aborted) reject(new Error(signal));
        interruption.abort();
      });
    }
  });
  try {
    await Promise.race([run(scope, interrupted), failed]);
  } finally {
    await scope.end();
  }
}
