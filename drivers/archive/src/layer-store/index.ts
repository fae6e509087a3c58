export { throwIfAborted } from '../pool/abort.js';
export { LayerStore, type LayerStoreOptions, type Preparation } from './layer-store.js';
