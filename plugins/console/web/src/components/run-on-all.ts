import { messageOf } from '../api/api-error';
import { plural } from '../format/plural';
import { notify } from '../notices/notices';

const atOnce = 4;
const namedFailures = 3;

/** Runs an action on each row, some at a time, and shows one notice for all of them. */
export async function runOnAll<R>(
  verb: string,
  noun: string,
  rows: readonly R[],
  name: (row: R) => string,
  action: (row: R) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [];
  const waiting = [...rows];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        await action(row);
      } catch (error) {
        failures.push(`${name(row).slice(0, 80)}: ${messageOf(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length === 0) notify('done', `${verb}: ${plural(rows.length, noun)}.`);
  else {
    const more = failures.length > namedFailures ? ` … and ${failures.length - namedFailures} more` : '';
    notify(
      'failed',
      `${verb} failed for ${plural(failures.length, noun)}: ${failures.slice(0, namedFailures).join('; ')}${more}`,
    );
  }
}
