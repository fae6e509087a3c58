export type { Distribution } from '../configuration/distribution.js';
export { gantryd } from '../gantryd.js';
export { supplyCore } from '../supply/supply-core.js';
