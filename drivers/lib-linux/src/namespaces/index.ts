export { kernelNamespaces } from './kernel-namespaces.js';
export type { NamespaceKind, NamespaceReference, Namespaces } from './namespaces.js';
