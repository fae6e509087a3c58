import { invalidArgument } from '@gantry/core/errors';
import { splitQuoted } from './words.js';

/** A text in the build file, behind the instruction that names it as `<<NAME`. */
export interface Heredoc {
  /** The word of the instruction, such as `<<-"EOF"`. */
  readonly word: string;
  readonly name: string;
  /** With tabs at the beginning of lines removed where `<<-` asks for it. */
  readonly content: string;
  /** As in the build file, with its last line, as a shell reads it. */
  readonly written: string;
  /** Variables are replaced: the name was not quoted. */
  readonly expands: boolean;
}

/** Longest text, in characters. */
const maxLength = 2 ** 20;

/** The heredocs that an instruction names, from the lines behind it. @throws EngineError for one that does not end. */
export function readHeredocs(text: string, escapeMark: string, nextLine: () => string | undefined): readonly Heredoc[] {
  if (!/^(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i.test(text) || !text.includes('<<')) return [];
  return splitQuoted(text, escapeMark).flatMap((word) => {
    const [, chomp = '', quoted = ''] = /^\d*<<(-?)([^<\s]+)$/.exec(word) ?? [];
    const name = quoted.replace(/["'\\]/g, '');
    if (!/^[A-Za-z_][\w.-]*$/.test(name)) return [];
    const lines: string[] = [];
    let length = 0;
    for (;;) {
      const line = nextLine();
      if (line === undefined) throw invalidArgument(`unterminated heredoc ${name}`);
      if ((chomp === '' ? line : line.replace(/^\t+/, '')) === name) {
        const content = lines.map((item) => `${chomp === '' ? item : item.replace(/^\t+/, '')}\n`).join('');
        const written = `${lines.map((item) => `${item}\n`).join('')}${line}`;
        return [{ word, name, content, written, expands: quoted === name }];
      }
      length += line.length;
      if (length > maxLength) throw invalidArgument(`heredoc ${name} is longer than ${maxLength} characters`);
      lines.push(line);
    }
  });
}
