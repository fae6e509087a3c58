import type { RecordKind } from '@gantry/core/contracts';

/** Records of tests. */
export const counts: RecordKind<{ readonly count: number }> = {
  name: 'count',
  version: 1,
  parse: (value) => value as { readonly count: number },
};
