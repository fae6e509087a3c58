import * as library from '@gantry/source-conversion';

/** What imports need of a converter of repositories. Tests have another one, that stops where they want. */
export type Conversion = Pick<
  typeof library,
  | 'detectSource'
  | 'convertSource'
  | 'authorsOf'
  | 'largeFilesOf'
  | 'rewriteRepository'
  | 'pushRepository'
  | 'tidyScratch'
>;

export const conversion: Conversion = library;
