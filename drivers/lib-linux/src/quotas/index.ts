export { kernelQuotas } from './kernel-quotas.js';
export { ProjectQuotas } from './quotas.js';
