export type { Git } from './git/git.js';
export { type HttpResponse, readText, sendRequest } from './network/http-request.js';
export { isPublicAddress } from './network/is-public-address.js';
export { adoptRepository, createRepository, editAdopted, publishAdopted } from './repository/adopt-repository.js';
export {
  ConvertedRepositories,
  GitConvertedRepositories,
  type PushOptions,
  type RepositoryOptions,
} from './repository/converted-repositories.js';
export { plainRefName, RefNames } from './repository/ref-names.js';
export type { AuthorMapping, LargeFile, LargeFileChoice, SourceAuthor } from './repository/repository-facts.js';
export { type Refs, readRefs, replaceRefs, sourceRefs } from './repository/repository-refs.js';
export type { Rewrite } from './repository/rewrite-repository.js';
export { isAddress, validAuthor } from './repository/valid-author.js';
export { missingProgram } from './sandbox/missing-program.js';
export type { ProgramCall, ToolSandbox } from './sandbox/tool-sandbox.js';
export { probeRepository, type RepositoryProbe } from './session/probe-repository.js';
export { accessDenied, reachableUrl, type SourceLocation } from './session/source-location.js';
export { type ConversionSession, type SourceSession, SourceSessions } from './session/source-sessions.js';
