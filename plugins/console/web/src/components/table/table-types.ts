import type { ComponentChildren } from 'preact';

export interface Column<R> {
  readonly title: string;
  readonly cell: (row: R) => ComponentChildren;
  /** What rows are sorted by; a column without it cannot be sorted. */
  readonly sort?: (row: R) => string | number;
  /** A share of the width; 1 by default. */
  readonly width?: number;
  /** Left out where there is no room for all of them, as on a phone. */
  readonly secondary?: boolean;
}

export interface BulkAction<R> {
  readonly name: string;
  readonly run: (rows: readonly R[]) => unknown;
  readonly danger?: boolean;
}
