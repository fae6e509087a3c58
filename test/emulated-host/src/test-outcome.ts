/** What became of one test in the guest. */
export type TestOutcome =
  | { readonly title: string; readonly outcome: 'passed' | 'failed' }
  | { readonly title: string; readonly outcome: 'skipped'; readonly reason: string };

/** The outcome that a line of the Test Anything Protocol reports; undefined for all other lines. */
export function parseOutcome(line: string): TestOutcome | undefined {
  const [, not, title = '', directive] = /^(not )?ok \d+ - (.*?)(?: # SKIP ?(.*))?$/.exec(line.trimEnd()) ?? [];
  if (title === '') return undefined;
  if (directive !== undefined) return { title, outcome: 'skipped', reason: directive };
  return { title, outcome: not === undefined ? 'passed' : 'failed' };
}
