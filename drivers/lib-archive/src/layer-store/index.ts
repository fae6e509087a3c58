export { LayerStore, type Preparation } from './layer-store.js';
