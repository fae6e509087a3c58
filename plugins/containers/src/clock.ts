export { Clock, nanosOf, rfc3339, zeroTime } from '@gantry/core/driver';
