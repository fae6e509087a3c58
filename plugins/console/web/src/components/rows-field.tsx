import { useId } from 'preact/hooks';
import { Button } from './button';

export interface RowColumn<K extends string> {
  readonly key: K;
  readonly label: string;
  readonly placeholder?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

interface RowsFieldProps<K extends string> {
  readonly label: string;
  /** What one row is: "port". */
  readonly noun: string;
  readonly columns: readonly RowColumn<K>[];
  readonly rows: readonly Record<K, string>[];
  readonly onChange: (rows: readonly Record<K, string>[]) => void;
}

/** Rows of fields of which one adds and removes any number. */
export function RowsField<K extends string>({ label, noun, columns, rows, onChange }: RowsFieldProps<K>) {
  const id = useId();
  const set = (at: number, key: K, value: string): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [key]: value } : row)));
  const add = (): void =>
    onChange([
      ...rows,
      Object.fromEntries(columns.map(({ key, options }) => [key, options?.[0] ?? ''])) as Record<K, string>,
    ]);
  return (
    <fieldset class="rows">
      <legend>{label}</legend>
      {rows.map((row, at) => (
        // A row has no identity but its place.
        <div class="row" key={at}>
          {columns.map((column) => {
            const field = { id: `${id}-${at}-${column.key}`, 'aria-label': `${column.label} of ${noun} ${at + 1}` };
            if (column.options !== undefined) {
              return (
                <select
                  key={column.key}
                  {...field}
                  value={row[column.key]}
                  onChange={(event) => set(at, column.key, event.currentTarget.value)}
                >
                  {column.options.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </select>
              );
            }
            return (
              <input
                key={column.key}
                {...field}
                value={row[column.key]}
                placeholder={column.placeholder ?? column.label}
                spellcheck={false}
                autocomplete="off"
                onInput={(event) => set(at, column.key, event.currentTarget.value)}
              />
            );
          })}
          <Button
            kind="quiet"
            label={`Remove ${noun} ${at + 1}`}
            onPress={() => onChange(rows.filter((_, i) => i !== at))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button kind="quiet" onPress={add}>
        + Add {noun}
      </Button>
    </fieldset>
  );
}
