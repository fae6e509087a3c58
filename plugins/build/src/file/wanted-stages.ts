import { invalidArgument } from '@gantry/core/errors';
import type { BuildFile, Stage } from './instruction.js';
import { parseInstruction } from './parse-build-file.js';
import { parseRunMounts } from './parse-run-mounts.js';

interface Wanted {
  readonly target: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The stages up to the target, which gets the labels of the request. */
export function wantedStages({ stages }: BuildFile, { target, labels }: Wanted): readonly Stage[] {
  const named = stages.findIndex(({ name }, index) => name === target.toLowerCase() || String(index) === target);
  if (target !== '' && named < 0) throw invalidArgument(`failed to reach build target ${target} in Dockerfile`);
  const wanted = target === '' ? [...stages] : stages.slice(0, named + 1);
  const last = wanted.at(-1);
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (last === undefined || pairs.length === 0) return wanted;
  const text = pairs.map(([name, value]) => `${literal(name)}=${literal(value)}`).join(' ');
  const shown = `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  const label = { ...parseInstruction(`LABEL ${text}`, last.from.line), text: shown };
  return [...wanted.slice(0, -1), { ...last, instructions: [...last.instructions, label] }];
}

/** Quoted so that no variable is expanded. */
const literal = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

/**
 * The numbers of the stages that the last one needs, itself the last. A stage that is only named through a variable is
 * not among them: it runs when the step that names it does.
 */
export function neededStages(stages: readonly Stage[]): readonly number[] {
  const needed = new Set<number>();
  const visit = (index: number): void => {
    const stage = stages[index];
    if (stage === undefined || needed.has(index)) return;
    needed.add(index);
    for (const name of referencesOf(stage)) {
      const at = stages.findIndex((other, position) => position < index && other.name === name.toLowerCase());
      if (at >= 0) visit(at);
      else if (/^\d+$/.test(name) && Number(name) < index) visit(Number(name));
    }
  };
  visit(stages.length - 1);
  return [...needed].sort((a, b) => a - b);
}

/** The names of images and stages that a stage is based on or copies from. */
function referencesOf({ base, instructions }: Stage): readonly string[] {
  const names = instructions.flatMap((instruction) => [
    instruction.flags.get('from') ?? '',
    ...parseRunMounts(instruction).map(({ from }) => from),
  ]);
  // A number as the base of a stage is the name of an image.
  return [...(/^\d+$/.test(base) ? [] : [base]), ...names].filter((name) => name !== '');
}
