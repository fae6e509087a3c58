export { LayerIndex } from './layer-index.js';
export { LayerStore, type Preparation } from './layer-store.js';
