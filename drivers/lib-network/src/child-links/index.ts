export type { ChildLinkKind, ChildLinkOptions } from './child-link-kind.js';
export { parseParent } from './parent-name.js';
export { registerChildLinks } from './register-child-links.js';
