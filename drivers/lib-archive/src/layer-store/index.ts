export { LayerIndex } from './layer-index.js';
export { LayerStore, type Preparation } from './layer-store.js';
export { makeSearchable } from './make-searchable.js';
