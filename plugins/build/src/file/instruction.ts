import type { Heredoc } from './heredoc.js';

export const keywords = [
  'ADD',
  'ARG',
  'CMD',
  'COPY',
  'ENTRYPOINT',
  'ENV',
  'EXPOSE',
  'FROM',
  'HEALTHCHECK',
  'LABEL',
  'MAINTAINER',
  'ONBUILD',
  'RUN',
  'SHELL',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
] as const;

export type Keyword = (typeof keywords)[number];

/** One instruction, checked as far as that goes without running anything. */
export interface Instruction {
  readonly keyword: Keyword;
  /** As written, continuations joined. */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
  /** The values of a flag that may be repeated have a line each. */
  readonly flags: ReadonlyMap<string, string>;
  /** What comes after the flags. */
  readonly rest: string;
  /** It was written as a JSON array. */
  readonly isList: boolean;
  /** The array's members, or the words, still with their quotes and variables. */
  readonly words: readonly string[];
  readonly heredocs: readonly Heredoc[];
}

export interface BuildFile {
  readonly escapeMark: '\\' | '`';
  /** ARG in front of the first FROM. */
  readonly globals: readonly Instruction[];
  readonly stages: readonly Stage[];
  /** Texts of instructions that have an empty line in them. */
  readonly emptyContinuations: readonly string[];
  /** The last lines of these. */
  readonly emptyContinuationEnds: readonly number[];
}

export interface Stage {
  readonly from: Instruction;
  /** As in `FROM x AS name`, in lower case. */
  readonly name: string | undefined;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}
