import { ProgramScope, type Scope } from '@gantry/test-nodes';

/** What a program that looks for violations is given. */
interface CheckedRun {
  readonly scope: Scope;
  /** Reports a violation. */
  violate(line: string): void;
}

/**
 * Runs such a program, and releases what it has made. A failure of it is a violation, too. Resolves to whether there was
 * none.
 */
export async function runChecked(
  report: (line: string) => void,
  run: (checked: CheckedRun) => Promise<void>,
): Promise<boolean> {
  const scope = new ProgramScope();
  let violations = 0;
  const violate = (line: string): void => {
    violations += 1;
    report(`✘ ${line}`);
  };
  await run({ scope, violate }).catch((error: Error) => violate(error.stack ?? String(error)));
  await scope.end().catch((error: Error) => violate(`not removed: ${error.message}`));
  report(`${violations} violations`);
  return violations === 0;
}
