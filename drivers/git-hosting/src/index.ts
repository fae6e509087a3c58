export { createRepository } from './create-repository.js';
export type { GitOptions } from './git.js';
export { isLfsOid, lfsObjectPath } from './lfs-object-path.js';
export { advertiseRefs, type ReadOptions, uploadPack } from './serve.js';
export { publishRefs, stagingOf } from './staging.js';
export { tidyRepository } from './tidy-repository.js';
export { hasWorkflows } from './workflows.js';
