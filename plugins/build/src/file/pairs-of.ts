import { invalidArgument } from '@gantry/core/errors';
import type { Instruction } from './instruction.js';

/** Names and values of `A=1 B="x y"`, or of the old form `A the rest of the line`, with quotes and variables. */
export function pairsOf({ keyword, rest, words }: Instruction): readonly (readonly [name: string, value: string])[] {
  if (!(words[0] ?? '').includes('=')) {
    const [, name = '', value] = /^(\S+)(?:\s+([\s\S]*))?$/.exec(rest.trim()) ?? [];
    if (value === undefined || value === '') throw invalidArgument(`${keyword} must have two arguments`);
    return [[name, value]];
  }
  return words.map((word) => {
    const equals = word.indexOf('=');
    if (equals < 0) {
      throw invalidArgument(`Syntax error - can't find = in "${word}". Must be of the form: name=value`);
    }
    if (equals === 0) throw invalidArgument(`${keyword} names can not be blank`);
    return [word.slice(0, equals), word.slice(equals + 1)] as const;
  });
}
