export { DeliveringLog, type Delivery } from './delivering-log.js';
