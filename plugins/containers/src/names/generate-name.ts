import { randomInt } from 'node:crypto';
import { adjectives } from './adjectives.js';
import { surnames } from './surnames.js';

const one = (words: readonly string[]): string => words[randomInt(words.length)] ?? '';

/** An adjective and a surname, such as `patient_noether`; with a number behind when many are taken. */
export function generateName(isTaken: (name: string) => boolean): string {
  for (let attempt = 0; ; attempt++) {
    const name = `${one(adjectives)}_${one(surnames)}${attempt < 5 ? '' : randomInt(10 ** (attempt - 4))}`;
    if (!isTaken(name)) return name;
  }
}
