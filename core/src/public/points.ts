/** Declares kinds of drivers and services; loads nothing else of the kernel, so that a worker thread can afford it. */
export { type DriverPoint, driverPoint, type ServicePoint, servicePoint } from '../kernel/points/driver-point.js';
