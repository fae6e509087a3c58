// The package of a driver that managers of the age run load by this folder.
export { default } from '../dist/age/managers/encrypting-networks.js';
