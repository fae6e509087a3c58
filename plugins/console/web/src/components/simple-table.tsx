import type { ComponentChildren } from 'preact';
import { ScrollBox } from './scrolling/scroll-box';

interface SimpleTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
  readonly empty: string;
}

/** A short table without sorting, which scrolls inside its box. */
export function SimpleTable({ label, columns, rows, empty }: SimpleTableProps) {
  if (rows.length === 0) return <p class="hint">{empty}</p>;
  return (
    <ScrollBox label={label}>
      <table class="simple">
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={columns[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
