export type {
  ConversionContext,
  ConversionProgress,
  ConvertOptions,
  Destination,
  RepositoryOptions,
} from './conversion-context.js';
export { convertSource } from './convert-source.js';
export { detectSource } from './detect-source.js';
export { isPublicAddress } from './network/public-address.js';
export { authorsOf } from './repository/authors-of.js';
export { largeFilesOf } from './repository/large-files-of.js';
export { type PushOptions, pushRepository } from './repository/push-repository.js';
export { type Rewrite, rewriteRepository } from './repository/rewrite-repository.js';
export type { AuthorMapping, LargeFile, LargeFileChoice, SourceAuthor } from './repository-facts.js';
export { type Detection, type ProjectChoice, type Source, type Vcs, versionControlSystems } from './source.js';
export { SourceError, type SourceFailure } from './source-error.js';
export { tidyScratch } from './tidy-scratch.js';
