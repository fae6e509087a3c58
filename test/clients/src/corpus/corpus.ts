import { applicationCases } from './application-cases.js';
import type { CorpusCase } from './corpus-case.js';
import { debianCases } from './debian-cases.js';
import { failingCases } from './failing-cases.js';
import { instructionCases } from './instruction-cases.js';

export type { CorpusCase } from './corpus-case.js';

export const corpus: readonly CorpusCase[] = [
  ...applicationCases,
  ...debianCases,
  ...instructionCases,
  ...failingCases,
];
