import { parseReference } from '@gantry/images/service';
import { expandWord } from '../file/expand.js';
import type { BuildFile, Stage } from '../file/instruction.js';
import { pairOf } from '../file/pair-of.js';
import { suggestionFor } from '../file/suggestion-for.js';
import { type Report, variablesIn } from './lint-stage.js';

type Globals = ReadonlyMap<string, string | undefined>;

/** Names with a meaning of their own where stages are named. */
const reserved: ReadonlySet<string> = new Set(['context', 'scratch']);

const isLower = (text: string): boolean => text === text.toLowerCase();

/** The rules for FROM. `automatic` are arguments that need no ARG. */
export function lintFrom(file: BuildFile, automatic: Readonly<Record<string, string>>, report: Report): void {
  const globals = defaultsOf(file, automatic);
  const names = new Set<string>();
  for (const stage of file.stages) {
    lintBase(stage, globals, file.escapeMark, report);
    lintName(stage, names, report);
    lintPlatform(stage, globals, report);
    if (stage.name !== undefined) names.add(stage.name);
  }
}

function lintBase({ from, base }: Stage, globals: Globals, escapeMark: string, report: Report): void {
  if (!base.includes('$') || isImageName(base, globals, escapeMark)) return;
  const message = `Default value for ARG ${base} results in empty or invalid base image name`;
  report('InvalidDefaultArgInFrom', from, message);
}

function lintName({ from, name }: Stage, earlier: ReadonlySet<string>, report: Report): void {
  const [, as = '', written = ''] = from.words;
  const [keyword = ''] = /^\S+/.exec(from.text) ?? [];
  if (name !== undefined && earlier.has(name)) {
    report('DuplicateStageName', from, `Duplicate stage name "${name}", stage names should be unique`);
  }
  if (!isLower(written)) report('StageNameCasing', from, `Stage name '${written}' should be lowercase`);
  if (as !== '' && isLower(as) !== isLower(keyword)) {
    report('FromAsCasing', from, `'${as}' and '${keyword}' keywords' casing do not match`);
  }
  if (name !== undefined && reserved.has(name)) {
    const message = `Stage name should not use the same name as reserved stage "${name}"`;
    report('ReservedStageName', from, message);
  }
}

function lintPlatform({ from, name: stageName = '', base }: Stage, globals: Globals, report: Report): void {
  const platform = from.flags.get('platform') ?? '';
  if (/^\$(?:TARGETPLATFORM|\{TARGETPLATFORM\})$/.test(platform)) {
    const message = `Setting platform to predefined ${platform} in FROM is redundant as this is the default behavior`;
    report('RedundantTargetPlatform', from, message);
  }
  if (platform !== '' && !platform.includes('$') && !namesPlatform(stageName, platform)) {
    const message = `FROM --platform flag should not use constant value "${platform}"`;
    report('FromPlatformFlagConstDisallowed', from, message);
  }
  for (const name of new Set(variablesIn(`${base} ${platform}`))) {
    if (globals.has(name)) continue;
    const suggest = () => suggestionFor(name, globals.keys());
    report('UndefinedArgInFrom', from, () => `FROM argument '${name}' is not declared${suggest()}`);
  }
}

/** Arguments in front of the stages, with their own defaults. */
function defaultsOf({ globals, escapeMark }: BuildFile, automatic: Readonly<Record<string, string>>): Globals {
  const values = new Map<string, string | undefined>(Object.entries(automatic));
  for (const word of globals.flatMap(({ words }) => words)) {
    const [name, value] = pairOf(word);
    values.set(name, value === undefined ? values.get(name) : expanded(value, values, escapeMark));
  }
  return values;
}

/** Undefined for what cannot be expanded. */
function expanded(text: string, values: Globals, escapeMark: string): string | undefined {
  try {
    return expandWord(text, (name) => values.get(name), escapeMark);
  } catch {
    return undefined;
  }
}

function isImageName(written: string, globals: Globals, escapeMark: string): boolean {
  try {
    parseReference(expandWord(written, (name) => globals.get(name), escapeMark));
    return true;
  } catch {
    return false;
  }
}

/** A stage for one platform, such as `build-amd64`. */
const namesPlatform = (name: string, platform: string): boolean =>
  platform.split('/').some((part) => part !== '' && name.includes(part));
