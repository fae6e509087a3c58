import { Mutex } from '@gantry/core/driver';

/** Joining, leaving, locking and unlocking happen one after the other. */
export class MembershipMutex extends Mutex {}
