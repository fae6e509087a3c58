export type { Distribution } from '../configuration/distribution.js';
export { gantryd } from '../gantryd.js';
