import type { CreateValues } from './create-values';

/** Changes some values of the form. */
export type SetValues = (change: Partial<CreateValues>) => void;
