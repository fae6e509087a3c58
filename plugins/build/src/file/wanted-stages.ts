import { invalidArgument } from '@gantry/core/errors';
import { BuildFileError } from './build-file-error.js';
import type { BuildFile, Stage } from './instruction.js';
import { parseInstruction } from './parse-build-file.js';
import { parseRunMounts } from './parse-run-mounts.js';

interface Wanted {
  readonly followsBuildKit: boolean;
  readonly target: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The stages up to the target, which gets the labels of the request. Of stages with one name the last counts, which the
 * classic builder refuses.
 */
export function wantedStages({ stages }: BuildFile, { target, labels, followsBuildKit }: Wanted): readonly Stage[] {
  const again = stages.find(({ name }, index) => name !== undefined && lastNamed(stages, name, index) !== undefined);
  if (again !== undefined && !followsBuildKit) {
    throw BuildFileError.inLine(again.from.line, `duplicate name ${again.from.words[2]}`);
  }
  const named = lastNamed(stages, target, stages.length) ?? stages.findIndex((_, index) => String(index) === target);
  if (target !== '' && named < 0) throw invalidArgument(`target stage ${JSON.stringify(target)} could not be found`);
  const wanted = target === '' ? [...stages] : stages.slice(0, named + 1);
  const last = wanted.at(-1);
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (last === undefined || pairs.length === 0) return wanted;
  const text = pairs.map(([name, value]) => `${literal(name)}=${literal(value)}`).join(' ');
  const shown = `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  const label = { ...parseInstruction(`LABEL ${text}`, last.from.line), text: shown };
  return [...wanted.slice(0, -1), { ...last, instructions: [...last.instructions, label] }];
}

/** The number of the last stage with a name before another stage. */
export function lastNamed(stages: readonly Stage[], name: string, before: number): number | undefined {
  const index = stages.slice(0, before).findLastIndex((stage) => stage.name === name.toLowerCase());
  return index < 0 ? undefined : index;
}

/** Quoted so that no variable is expanded. */
const literal = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

/**
 * The numbers of the stages that the last one needs, itself the last. A stage that is only named through a variable is
 * not among them: it runs when the step that names it does. Nothing is needed by a stage that is replaced.
 */
export function neededStages(
  stages: readonly Stage[],
  isReplaced: (name: string) => boolean = () => false,
): readonly number[] {
  const needed = new Set<number>();
  const visit = (index: number): void => {
    const stage = stages[index];
    if (stage === undefined || needed.has(index)) return;
    needed.add(index);
    if (stage.name !== undefined && isReplaced(stage.name)) return;
    for (const name of referencesOf(stage)) {
      const at = lastNamed(stages, name, index);
      if (at !== undefined) visit(at);
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
