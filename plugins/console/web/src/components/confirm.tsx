import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button';
import { Dialog, openDialog } from './dialog';
import { CheckField } from './fields';

interface Question<K extends string> {
  readonly title: string;
  readonly body?: ComponentChildren;
  /** The verb on the button. */
  readonly action: string;
  /** Check boxes, unset at first. */
  readonly options?: Readonly<Record<K, string>>;
}

/** @returns the options as they were set; undefined when the question was declined */
export function confirm<K extends string = never>(question: Question<K>): Promise<Record<K, boolean> | undefined> {
  return new Promise((resolve) => {
    openDialog((close) => (
      <ConfirmDialog
        question={question}
        answer={(value) => {
          close();
          resolve(value as Record<K, boolean> | undefined);
        }}
      />
    ));
  });
}

interface ConfirmProps {
  readonly question: Question<string>;
  readonly answer: (value: Record<string, boolean> | undefined) => void;
}

function ConfirmDialog({ question, answer }: ConfirmProps) {
  const [values, setValues] = useState<Record<string, boolean>>({});
  return (
    <Dialog title={question.title} close={() => answer(undefined)}>
      {question.body !== undefined && <div class="prose">{question.body}</div>}
      {Object.entries(question.options ?? {}).map(([name, label]) => (
        <CheckField
          key={name}
          label={label}
          value={values[name] ?? false}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <footer>
        <Button onPress={() => answer(undefined)}>Cancel</Button>
        <Button kind="danger" onPress={() => answer(values)}>
          {question.action}
        </Button>
      </footer>
    </Dialog>
  );
}
