export { type CallOptions, GitHosting, ProgramGitHosting, type ReadOptions } from './git-hosting.js';
export { isLfsOid, lfsObjectPath } from './lfs-object-path.js';
