export { type CrashPoint, crashPoint } from '../crash-points/crash-point.js';
