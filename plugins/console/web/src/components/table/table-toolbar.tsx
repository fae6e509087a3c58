import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../button';
import type { BulkAction } from './table-types';

interface TableToolbarProps<R> {
  readonly label: string;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly count: number;
  readonly total: number;
  readonly selected: readonly R[];
  readonly bulk: readonly BulkAction<R>[];
  readonly clear: () => void;
  readonly children: ComponentChildren;
}

export function TableToolbar<R>(props: TableToolbarProps<R>) {
  const { label, filter, setFilter, count, total, selected, bulk, clear, children } = props;
  const id = useId();
  return (
    <div class="toolbar">
      <label class="hidden" for={id}>
        Filter {label}
      </label>
      <input
        id={id}
        type="search"
        placeholder={`Filter ${label}…`}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {children}
      <span class="count" role="status">
        {count === total ? total : `${count} of ${total}`}
        {selected.length > 0 && `, ${selected.length} selected`}
      </span>
      {selected.length > 0 && (
        <fieldset class="bulk">
          <legend class="hidden">Actions on the selected {label}</legend>
          {bulk.map(({ name, run, danger }) => (
            <Button key={name} kind={danger === true ? 'danger' : 'plain'} onPress={() => run(selected)}>
              {name}
            </Button>
          ))}
          <Button kind="quiet" onPress={clear}>
            Clear
          </Button>
        </fieldset>
      )}
    </div>
  );
}
