import { invalidArgument } from '@gantry/core/errors';
import { BuildFileError } from './build-file-error.js';
import { checkFlag, checkInstruction } from './check-instruction.js';
import { type BuildFile, type Instruction, type Keyword, keywords, type Stage } from './instruction.js';
import { type LogicalLine, readLines } from './read-lines.js';
import { suggestionFor } from './suggestion-for.js';
import { parseList, splitBlanks, splitQuoted, takeFlags } from './words.js';

/** Each instruction makes an image with the history of all before it. */
const maxInstructions = 2000;
const known: ReadonlySet<string> = new Set(keywords);
/** Those whose arguments can be a JSON array. */
const takesList: ReadonlySet<Keyword> = new Set(['ADD', 'CMD', 'COPY', 'ENTRYPOINT', 'RUN', 'SHELL', 'VOLUME']);
/** Those whose words can be in quotes. */
const splitsQuoted: ReadonlySet<Keyword> = new Set(['ENV', 'LABEL', 'ARG', 'EXPOSE']);

/**
 * Reads a file of build instructions and checks all that can be checked before anything runs.
 * @throws EngineError `invalid-argument` naming the line.
 */
export function parseBuildFile(source: string, fileName = 'Dockerfile'): BuildFile {
  refuseEmpty({ name: fileName, text: source });
  const { lines, ...rest } = readLines(source);
  const { escapeMark } = rest;
  if (lines.length > maxInstructions) {
    throw BuildFileError.inFile(fileName, `more than ${maxInstructions} instructions`);
  }
  const globals: Instruction[] = [];
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of lines) {
    const instruction = parseLine(line, escapeMark);
    const stage = stages.at(-1);
    if (instruction.keyword === 'FROM') stages.push(beginStage(instruction));
    else if (stage !== undefined) stage.instructions.push(instruction);
    else if (instruction.keyword === 'ARG') globals.push(instruction);
    else throw BuildFileError.near(line.number, 'no build stage in current context', { end: line.end });
  }
  if (stages.length === 0) throw invalidArgument('no build stage in current context');
  return { ...rest, globals, stages };
}

/** @throws EngineError `invalid-argument` for a file without instructions. */
export function refuseEmpty({ name, text }: { readonly name: string; readonly text: string }): void {
  if (text === '') throw invalidArgument(`the Dockerfile (${name}) cannot be empty`);
  if (readLines(text).lines.length > 0) return;
  throw BuildFileError.inFile(name, 'file with no instructions');
}

/** A trigger of an image, or another line that does not come from a file. */
export const parseInstruction = (text: string, line: number): Instruction =>
  parseLine({ text, number: line, end: line, heredocs: [] }, '\\');

function parseLine(line: LogicalLine, escapeMark: string): Instruction {
  try {
    const instruction = readInstruction(line, escapeMark);
    checkInstruction(instruction);
    // A trigger is an instruction too.
    if (instruction.keyword === 'ONBUILD') {
      if (line.heredocs.length > 0) throw invalidArgument('ONBUILD does not take a heredoc');
      parseLine({ ...line, text: instruction.rest }, escapeMark);
    }
    return instruction;
  } catch (error) {
    throw at(line, error);
  }
}

function readInstruction({ text, number, end, heredocs }: LogicalLine, escapeMark: string): Instruction {
  const [, written = '', behind = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const keyword = written.toUpperCase() as Keyword;
  if (!known.has(keyword)) {
    throw invalidArgument(`unknown instruction: ${keyword}${suggestionFor(keyword, keywords)}`);
  }
  const { flags, rest } = takeFlags(behind, (name, hasValue) => checkFlag(keyword, name, hasValue));
  const list = takesList.has(keyword) ? parseList(rest) : undefined;
  const words = list ?? (splitsQuoted.has(keyword) ? splitQuoted(rest, escapeMark) : splitBlanks(rest));
  return { keyword, text, line: number, endLine: end, flags, rest, isList: list !== undefined, words, heredocs };
}

function at({ number, end }: LogicalLine, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BuildFileError) return error;
  return BuildFileError.inLine(number, error.message, { cause: error, end });
}

function beginStage(from: Instruction): Stage & { instructions: Instruction[] } {
  const [base = '', , name] = from.words;
  return { from, name: name?.toLowerCase(), base, instructions: [] };
}
