import type { Instruction, Lookup, Stage, StagePosition } from '@gantry/build/service';

const keywordsWithFiles: ReadonlySet<string> = new Set(['ADD', 'COPY', 'RUN', 'WORKDIR']);

/** Whether BuildKit's clients are shown an instruction: those that only change the configuration are not. */
export const makesFiles = ({ keyword }: Instruction): boolean => keywordsWithFiles.has(keyword);

/** Names the steps of a stage, such as `[build 2/4] `, in the form of BuildKit. */
export class StepNames {
  readonly #name: string;
  #number = 0;
  #total: number;

  constructor(stage: Stage, { index, count, base }: StagePosition) {
    const name = stage.name ?? (count === 1 ? '' : `stage-${index}`);
    this.#name = name === '' ? '' : `${name} `;
    const hasBase = base.kind === 'image' || base.kind === 'context';
    this.#total = (hasBase ? 1 : 0) + stage.instructions.filter(makesFiles).length;
  }

  /** Triggers count, also those that are not shown. */
  addTriggers(count: number): void {
    this.#total += count;
  }

  /** In front of what the next step does. Empty for a stage without steps. */
  next(): string {
    if (this.#total === 0) return '';
    const number = String(++this.#number).padStart(String(this.#total).length);
    return `[${this.#name}${number}/${this.#total}] `;
  }
}

/** An instruction as it is shown: with the variables that have a value, and the first line of a script. */
export function shownText({ keyword, text, rest, heredocs }: Instruction, variables: Lookup): string {
  const [, ownKeyword = ''] = /^(\S+)/.exec(text) ?? [];
  const shown = `${keyword}${withValues(text.slice(ownKeyword.length), variables)}`;
  const [heredoc] = heredocs;
  if (keyword !== 'RUN' || heredoc === undefined || rest.trim() !== heredoc.word) return shown;
  const [first = '', ...others] = heredoc.content.trim().split('\n');
  return `${shown} (${first}${others.length > 0 ? '...' : ''})`;
}

/** Quotes stay, and so do variables that are not set or stand in single quotes. */
const withValues = (text: string, variables: Lookup): string =>
  text.replace(
    /\\[\s\S]|'[^']*'|\$(?:(\w+)|\{(\w+)(?::?-[^}]*)?\})/g,
    (found, bare: string | undefined, braced: string | undefined) => variables(bare ?? braced ?? '') ?? found,
  );
