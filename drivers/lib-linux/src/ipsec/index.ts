export { Ipsec, type NewSecurityAssociation, type ProtectionPolicy, type SecurityAssociation } from './ipsec.js';
export { kernelIpsec } from './kernel-ipsec.js';
