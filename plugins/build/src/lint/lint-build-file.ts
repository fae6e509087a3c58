import type { BuildFileLines } from '../file/build-file-error.js';
import type { BuildFile, Instruction } from '../file/instruction.js';
import { pairOf } from '../file/pair-of.js';
import { parseBuildFile } from '../file/parse-build-file.js';
import { lastNamed, neededStages, wantedStages } from '../file/wanted-stages.js';
import { lintFrom } from './lint-from.js';
import { lintStage, type Report, type StageFacts } from './lint-stage.js';
import { parseCheckDirective } from './parse-check-directive.js';
import { type RuleName, rules, urlOf } from './rules.js';

/** Most warnings of a file. */
const maxWarnings = 500;

/** A rule that a build file violates. */
export interface LintWarning {
  readonly rule: RuleName;
  readonly description: string;
  readonly url: string;
  readonly message: string;
  readonly lines: BuildFileLines;
}

interface LintRequest {
  readonly name: string;
  readonly text: string;
  readonly target: string;
  /** Arguments that need no ARG. */
  readonly automatic: Readonly<Record<string, string>>;
  /** The environment of an image, where it is known before the build. */
  readonly environmentOf: (image: string) => readonly string[] | undefined;
  /** In place of the directive of the file. */
  readonly check?: string | undefined;
}

export interface LintResult {
  /** In the order of the lines. */
  readonly warnings: readonly LintWarning[];
  /** The file or the client wants violations to fail the build. */
  readonly failsBuild: boolean;
}

/** Checks how a build file is written. @throws EngineError `invalid-argument` for one that cannot be read. */
export function lintBuildFile(request: LintRequest): LintResult {
  const { skipsAll, skipped, failsBuild } = parseCheckDirective(request.text, request.check);
  const file = parseBuildFile(request.text, request.name);
  const warnings: LintWarning[] = [];
  const report: Report = (rule, { line, endLine }, message) => {
    if (skipsAll || skipped.has(rule.toLowerCase()) || warnings.length === maxWarnings) return;
    const lines = { start: line, end: endLine };
    const text = typeof message === 'string' ? message : message();
    warnings.push({ rule, description: rules[rule], url: urlOf(rule), message: text, lines });
  };
  lintFrom(file, request.automatic, report);
  const all = [...file.globals, ...file.stages.flatMap(({ from, instructions }) => [from, ...instructions])];
  lintCasing(all, report);
  for (const instruction of all) lintInstruction(instruction, file, report);
  lintStages(file, request, report);
  return { warnings: warnings.sort((one, other) => one.lines.start - other.lines.start), failsBuild };
}

function lintInstruction(instruction: Instruction, { emptyContinuationEnds }: BuildFile, report: Report): void {
  const { keyword, endLine } = instruction;
  if (keyword === 'MAINTAINER') {
    report('MaintainerDeprecated', instruction, 'Maintainer instruction is deprecated in favor of using label');
  }
  if (emptyContinuationEnds.includes(endLine)) {
    report('NoEmptyContinuation', { ...instruction, line: endLine }, 'Empty continuation line');
  }
}

function lintCasing(instructions: readonly Instruction[], report: Report): void {
  const written = instructions.map((instruction) => ({
    instruction,
    keyword: /^\S+/.exec(instruction.text)?.[0] ?? '',
  }));
  const upper = written.filter(({ keyword }) => keyword === keyword.toUpperCase()).length;
  const lower = written.filter(({ keyword }) => keyword === keyword.toLowerCase()).length;
  const isLower = lower > upper;
  for (const { instruction, keyword } of written) {
    if (keyword === (isLower ? keyword.toLowerCase() : keyword.toUpperCase())) continue;
    const majority = isLower ? 'lowercase' : 'uppercase';
    const message = `Command '${keyword}' should match the case of the command majority (${majority})`;
    report('ConsistentInstructionCasing', instruction, message);
  }
}

/** Only of the stages that run. */
function lintStages(file: BuildFile, { target, environmentOf }: LintRequest, report: Report): void {
  const stages = wantedStages(file, { target, labels: {}, followsBuildKit: true });
  const facts = new Map<number, StageFacts>();
  for (const index of neededStages(stages)) {
    const stage = stages[index];
    if (stage === undefined) continue;
    const earlier = facts.get(lastNamed(stages, stage.base, index) ?? -1);
    facts.set(index, lintStage(stage, earlier ?? beginning(stage.base, environmentOf), report));
  }
}

const defaultVariables = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];

function beginning(base: string, environmentOf: LintRequest['environmentOf']): StageFacts {
  const environment = base === 'scratch' ? [] : environmentOf(base);
  const entries = [...defaultVariables, ...(environment ?? [])].map(pairOf);
  return { variables: new Map(entries), isOpen: environment === undefined, hasWorkdir: false, used: new Set() };
}
