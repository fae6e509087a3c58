export { kernelNamespaces } from './kernel-namespaces.js';
export { type NamespaceKind, type NamespaceReference, Namespaces } from './namespaces.js';
