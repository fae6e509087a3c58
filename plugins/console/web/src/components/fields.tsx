import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps<T> {
  readonly label: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
}

function Field({
  id,
  label,
  hint,
  children,
}: {
  id: string;
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
}

const described = (id: string, hint: string | undefined) => (hint === undefined ? undefined : `${id}-hint`);

interface TextFieldProps extends FieldProps<string> {
  readonly type?: 'text' | 'password' | 'number' | undefined;
  /** Suggestions. */
  readonly list?: readonly string[] | undefined;
  readonly min?: number | undefined;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hint, placeholder, required, type = 'text', list, min } = props;
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        id={id}
        type={type}
        value={value}
        min={min}
        placeholder={placeholder}
        required={required}
        autocomplete="off"
        spellcheck={false}
        list={list === undefined ? undefined : `${id}-list`}
        aria-describedby={described(id, hint)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </Field>
  );
}

/** Several lines, one entry each. */
export function LinesField({
  label,
  value,
  onChange,
  hint,
  placeholder,
  rows = 3,
}: FieldProps<string> & { rows?: number }) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        aria-describedby={described(id, hint)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

interface SelectFieldProps extends FieldProps<string> {
  readonly options: readonly (string | readonly [value: string, label: string])[];
}

export function SelectField({ label, value, onChange, hint, options }: SelectFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <select
        id={id}
        value={value}
        aria-describedby={described(id, hint)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => {
          const [key, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={key} value={key}>
              {text}
            </option>
          );
        })}
      </select>
    </Field>
  );
}

export function CheckField({ label, value, onChange, hint }: FieldProps<boolean>) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={value}
        aria-describedby={described(id, hint)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </div>
  );
}

interface FileFieldProps {
  readonly label: string;
  readonly onChange: (files: readonly File[]) => void;
  readonly hint?: string | undefined;
  readonly multiple?: boolean | undefined;
  readonly directory?: boolean | undefined;
}

export function FileField({ label, onChange, hint, multiple = false, directory = false }: FileFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        id={id}
        type="file"
        multiple={multiple || directory}
        ref={(element) => void element?.toggleAttribute('webkitdirectory', directory)}
        aria-describedby={described(id, hint)}
        onChange={(event) => onChange([...(event.currentTarget.files ?? [])])}
      />
    </Field>
  );
}
