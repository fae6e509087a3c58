import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useVisibleRows } from '../scrolling/use-visible-rows';
import { Empty } from '../status-views';
import { comparisonOf } from './compare-keys';
import { TableToolbar } from './table-toolbar';
import type { BulkAction, Column } from './table-types';

const rowHeight = 36;

interface VirtualTableProps<R> {
  /** What the rows are, in the plural: "containers". */
  readonly label: string;
  readonly rows: readonly R[];
  readonly id: (row: R) => string;
  readonly columns: readonly Column<R>[];
  /** What the filter box searches. */
  readonly text: (row: R) => string;
  /** What a row is called by a screen reader. */
  readonly rowName: (row: R) => string;
  readonly bulk?: readonly BulkAction<R>[];
  readonly tools?: ComponentChildren;
  readonly empty?: string;
  /** Index of the column that sorts at first; negative (~index) for descending. */
  readonly sortedBy?: number;
}

interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** A table of any number of rows, of which only those in sight are in the document. */
export function VirtualTable<R>(props: VirtualTableProps<R>) {
  const { label, rows, id, columns, text, rowName, bulk = [], tools, empty, sortedBy = 0 } = props;
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>({ column: sortedBy < 0 ? ~sortedBy : sortedBy, descending: sortedBy < 0 });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => {
    const words = filter
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const found =
      words.length === 0
        ? [...rows]
        : rows.filter((row) => {
            const searched = text(row).toLowerCase();
            return words.every((word) => searched.includes(word));
          });
    const key = columns[order.column]?.sort;
    if (key === undefined) return found;
    const sign = order.descending ? -1 : 1;
    const keyed = found.map((row) => ({ row, key: key(row) }));
    const compare = comparisonOf(keyed.map((each) => each.key));
    return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row);
  }, [rows, filter, order, columns, text]);
  const { box, first, end } = useVisibleRows(shown.length, rowHeight);

  const present = useMemo(() => rows.filter((row) => selected.has(id(row))), [rows, selected, id]);
  const allSelected = shown.length > 0 && shown.every((row) => selected.has(id(row)));
  const select = (ids: readonly string[], isSelected: boolean): void => {
    const next = new Set(selected);
    for (const one of ids) isSelected ? next.add(one) : next.delete(one);
    setSelected(next);
  };
  const selectable = bulk.length > 0;
  const [total, narrow] = [widthOf(columns), widthOf(columns.filter(({ secondary = false }) => !secondary))];

  return (
    <div class="table-page">
      <TableToolbar
        label={label}
        filter={filter}
        setFilter={setFilter}
        count={shown.length}
        total={rows.length}
        selected={present}
        bulk={bulk}
        clear={() => setSelected(new Set())}
      >
        {tools}
      </TableToolbar>
      <div class="table-box" ref={box}>
        <table
          class="virtual"
          aria-label={label}
          aria-rowcount={shown.length + 1}
          style={{
            '--wide': `${total * 7 + (selectable ? 2.5 : 0)}rem`,
            '--narrow': `${narrow * 4.5}rem`,
          }}
        >
          <thead>
            <tr aria-rowindex={1}>
              {selectable && (
                <th scope="col" class="check">
                  <input
                    type="checkbox"
                    aria-label={`Select all ${label}`}
                    checked={allSelected}
                    onChange={() => select(shown.map(id), !allSelected)}
                  />
                </th>
              )}
              {columns.map((column, at) => (
                <HeaderCell
                  key={column.title}
                  title={column.title}
                  secondary={column.secondary ?? false}
                  share={(column.width ?? 1) / total}
                  narrowShare={(column.width ?? 1) / narrow}
                  order={order.column === at ? order : undefined}
                  sort={
                    column.sort &&
                    (() => setOrder({ column: at, descending: order.column === at && !order.descending }))
                  }
                />
              ))}
            </tr>
          </thead>
          <Spacer rows={first} />
          <tbody>
            {shown.slice(first, end).map((row, at) => {
              const key = id(row);
              return (
                <tr key={key} aria-rowindex={first + at + 2} class={selected.has(key) ? 'selected' : ''}>
                  {selectable && (
                    <td class="check">
                      <input
                        type="checkbox"
                        aria-label={`Select ${rowName(row).slice(0, 100)}`}
                        checked={selected.has(key)}
                        onChange={(event) => select([key], event.currentTarget.checked)}
                      />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.title} class={classOf(column.secondary)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
          <Spacer rows={shown.length - end} />
        </table>
        {shown.length === 0 && (
          <Empty>{rows.length === 0 ? (empty ?? `There are no ${label}.`) : `No ${label} match the filter.`}</Empty>
        )}
      </div>
    </div>
  );
}

const widthOf = (columns: readonly { readonly width?: number }[]): number =>
  columns.reduce((sum, { width = 1 }) => sum + width, 0);

const classOf = (secondary = false): string | undefined => (secondary ? 'secondary' : undefined);

/** Takes the place of rows out of sight. */
function Spacer({ rows }: { readonly rows: number }) {
  if (rows <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr class="spacer" style={{ height: `${rows * rowHeight}px` }} />
    </tbody>
  );
}

interface HeaderCellProps {
  readonly title: string;
  readonly secondary: boolean;
  readonly share: number;
  /** Without the secondary columns. */
  readonly narrowShare: number;
  readonly order: Order | undefined;
  readonly sort: (() => void) | undefined;
}

function HeaderCell({ title, secondary, share, narrowShare, order, sort }: HeaderCellProps) {
  const direction = order?.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      class={classOf(secondary)}
      style={{ '--share': `${share * 100}%`, '--narrow-share': `${narrowShare * 100}%` }}
      aria-sort={sort === undefined || order === undefined ? undefined : direction}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" onClick={sort}>
          {title}
          <span aria-hidden="true">{order === undefined ? '' : order.descending ? ' ▾' : ' ▴'}</span>
        </button>
      )}
    </th>
  );
}
